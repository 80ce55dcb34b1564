import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { settingGroups } from '../../config/setting-table.ts';
import type { LoadedSettings } from '../../config/settings.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { printJson } from '../print-json.ts';
import { trustCommand } from './config-trust.ts';

export const command: CommandDefinition = {
  name: 'config',
  summary: 'Show the settings in force and where each comes from',
  options: [
    { flags: '-w, --workspace <dir>', description: 'the folder whose settings to show' },
    { flags: '--trust-project', description: "take the project's files as trusted, this once" },
    { flags: '--all', description: 'show the settings that nobody set, too' },
    { flags: '--json', description: 'print one JSON document' },
  ],
  examples: [
    'capstan config',
    'capstan config --all',
    'capstan config --json',
    'capstan config trust',
  ],
  subcommands: [trustCommand],
  run: showSettings,
};

async function showSettings({ options }: CommandArguments, io: CommandIo): Promise<number> {
  const loaded = await loadSettings({
    flags: options,
    environment: io.environment,
    cwd: io.cwd,
    installFolder: installFolder(),
  });
  if (options['json'] === true) {
    printJson(io, asDocument(loaded));
    return 0;
  }
  for (const notice of loaded.notices) io.stderr(`note: ${notice}\n`);
  io.stdout(asText(loaded, options['all'] === true));
  return 0;
}

function asDocument({ settings, origins, notices, project }: LoadedSettings) {
  return {
    workspace: settings.workspace,
    places: settings.places,
    settings: Object.fromEntries(
      [...origins].map(([name, { layer, source, shown }]) => [
        name,
        { value: shown === '' ? null : shown, layer, source },
      ]),
    ),
    project: project.files.map(({ path, state }) => ({ path, state })),
    notices,
  };
}

function asText({ settings, origins }: LoadedSettings, showsAll: boolean): string {
  const places = [
    ['workspace', settings.workspace],
    ['settings', settings.places.configDir],
    ['capsules', settings.places.dataDir],
    ['state', settings.places.stateDir],
    ['cache', settings.places.cacheDir],
  ].map(([name, path]) => `  ${name?.padEnd(10)} ${path}\n`);
  const rows = settingGroups.map(({ title, names }) => ({
    title,
    rows: names.flatMap((name) => {
      const origin = origins.get(name);
      if (!origin || (origin.layer === 'default' && origin.shown === '' && !showsAll)) return [];
      return [[name, origin.shown || '(not set)', origin.source] as const];
    }),
  }));
  const all = rows.flatMap((group) => group.rows);
  const widest = (column: 0 | 1) =>
    Math.max(0, ...all.map((row) => Math.min(row[column].length, 48)));
  const chapters = rows
    .filter((group) => group.rows.length > 0)
    .map(
      (group) =>
        `\n${group.title}\n${group.rows
          .map(([name, shown, source]) => {
            const left = `  ${name.padEnd(widest(0))}  ${shown.padEnd(widest(1))}`;
            return `${left}  ${source}\n`;
          })
          .join('')}`,
    );
  return `Places\n${places.join('')}${chapters.join('')}`;
}

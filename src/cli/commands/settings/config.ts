import type { SettingsView, SettingValue } from '../../../app/settings/show-settings.ts';
import type { CommandDefinition } from '../../command.ts';
import { flagOf, standard } from '../../options/standard-options.ts';
import { titled } from '../../text/format.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';
import { trustCommand } from './config-trust.ts';

export const init: CommandDefinition = {
  name: 'init',
  topic: 'Project',
  summary: 'Write a commented capstan.yaml for this project',
  options: { ...standard.workspace, ...standard.json },
  examples: ['capstan config init', 'capstan config init --workspace ../shop'],
  run: withCapstan(async ({ capstan, args }) => {
    const { path, isNew, configDir } = await capstan.settings.writeTemplate(args.options);
    return {
      json: { path, written: isNew },
      text: isNew
        ? `Wrote ${path}, and trusted it. After you change it: \`capstan config trust\`.\n` +
          `Your own settings and keys belong in ${configDir}/config.yaml and .env.\n`
        : `${path} exists; it was not changed.\n`,
    };
  }),
};

const ofShow = {
  options: {
    ...standard.workspace,
    ...standard.trustProject,
    '--all': 'also show settings without a value',
    ...standard.json,
  },
  examples: ['capstan config show', 'capstan config show --all', 'capstan config trust'],
  run: withCapstan(showSettings),
};

/** `config`, which shows the settings, and its subcommands. */
export const command: CommandDefinition = {
  ...ofShow,
  name: 'config',
  summary: 'Show settings, and create or trust project files',
  subcommands: [
    {
      ...ofShow,
      name: 'show',
      topic: 'Inspect',
      summary: 'Show the effective settings and their sources',
    },
    init,
    trustCommand,
  ],
};

async function showSettings(context: CommandContext): Promise<CommandResult> {
  const { capstan, args, io, isJson, has } = context;
  const view = await capstan.settings.get(args.options);
  const trust = view.isTrustNeeded ? ['review and trust them: capstan config trust'] : [];
  if (!isJson) for (const note of [...view.notices, ...trust]) io.stderr(`note: ${note}\n`);
  return { json: settingsDocument(view), text: settingsText(view, has('all')) };
}

const settingsDocument = ({ workspace, places, values, project, notices }: SettingsView) => ({
  workspace,
  places,
  settings: Object.fromEntries(
    values.map((one) => [one.name, { value: one.value, layer: one.layer, source: sourceOf(one) }]),
  ),
  project,
  notices,
});

function settingsText({ workspace, places, values }: SettingsView, showsAll: boolean): string {
  const folders = [
    ['workspace', workspace],
    ['settings', places.configDir],
    ['capsules', places.dataDir],
    ['state', places.stateDir],
    ['cache', places.cacheDir],
  ].map(([name, path]) => `  ${name?.padEnd(10)} ${path}\n`);
  const shown = values
    .filter(({ layer, value }) => layer !== 'default' || value !== null || showsAll)
    .map((one) => ({ ...one, text: one.value ?? '(not set)', from: sourceOf(one) }));
  const width = (cell: 'name' | 'text') =>
    Math.max(0, ...shown.map((one) => Math.min(one[cell].length, MAX_WIDTH)));
  const groups = [...new Set(shown.map(({ group }) => group))].map((title) => {
    const lines = shown
      .filter(({ group }) => group === title)
      .map(({ name, text, from }) => [name.padEnd(width('name')), text.padEnd(width('text')), from])
      .map((cells) => `  ${cells.join('  ')}\n`);
    return titled(title, lines.join(''));
  });
  return `Folders\n${folders.join('')}${groups.join('')}`;
}

const MAX_WIDTH = 48;

/** The source of a value; for a flag, its name as typed: `--budget-usd`. */
const sourceOf = ({ layer, source }: SettingValue): string =>
  layer === 'flag' ? flagOf(source) : source;

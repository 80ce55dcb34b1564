import { createInterface } from 'node:readline/promises';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { printable } from '../../config/printable.ts';
import { readTrustedFile, trustAll } from '../../config/project-files.ts';
import { acceptProject } from '../../config/project-trust.ts';
import type { Project, ProjectFile } from '../../config/settings.ts';
import { AppError } from '../../errors.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';

/** Files that are shown in full, up to this many lines; of the others the names are shown. */
const shownInFull = new Set(['capstan.yaml', 'capstan.policy.yaml', 'AGENTS.md']);
const maxLines = 200;

export const trustCommand: CommandDefinition = {
  name: 'trust',
  summary: "Show the project's Capstan files and accept them as they are now",
  options: [
    { flags: '-w, --workspace <dir>', description: 'the project' },
    { flags: '--yes', description: 'accept without a question' },
  ],
  examples: ['capstan config trust', 'capstan config trust --yes'],
  run: trustProject,
};

async function trustProject({ options }: CommandArguments, io: CommandIo): Promise<number> {
  const { environment, cwd } = io;
  const load = (flags: Readonly<Record<string, unknown>>) =>
    loadSettings({ flags, environment, cwd, installFolder: installFolder() });
  const { settings, project } = await load(options);
  const { configDir } = settings.places;
  if (project.files.length === 0) {
    io.stdout(`${project.folder} holds no Capstan files: there is nothing to trust.\n`);
    return 0;
  }
  for (const line of describe(project)) io.stdout(`${line}\n`);
  if (project.files.every(({ state }) => state === 'trusted' || state === 'unfit')) {
    io.stdout('Nothing new to trust.\n');
    return 0;
  }
  // What would stop every later start in this folder is told now, and nothing is recorded.
  const trusted = await load({ ...options, trustProject: true });
  for (const notice of trusted.notices) io.stderr(`note: ${notice}\n`);
  if (options['yes'] !== true && !(await isAgreed(io))) {
    io.stderr('Nothing was recorded.\n');
    return 1;
  }
  acceptProject(configDir, project);
  const accepted = project.files.filter(({ sha256 }) => sha256 !== undefined);
  io.stdout(
    `Trusted: ${accepted.length} file${accepted.length === 1 ? '' : 's'} of ${project.folder}.\n`,
  );
  return 0;
}

function describe(project: Project): string[] {
  const visible = trustAll(project);
  return project.files.flatMap((file) => [
    `${file.state.padEnd(8)} ${printable(file.path)}${file.sha256 ? `  ${file.sha256.slice(0, 12)}` : ''}`,
    ...contentOf(visible, file),
  ]);
}

/** The lines of a short, new text file, each marked, so that none can pass for ours. */
function contentOf(visible: Project, { path, state }: ProjectFile): string[] {
  if (!shownInFull.has(path) || (state !== 'new' && state !== 'changed')) return [];
  const lines = readTrustedFile(visible, path)?.toString('utf8').trimEnd().split(/\r?\n/) ?? [];
  const rest = lines.length - maxLines;
  return [
    ...lines.slice(0, maxLines).map((line) => `         | ${printable(line, 400)}`),
    ...(rest > 0 ? [`         … and ${rest} more lines`] : []),
  ];
}

async function isAgreed(io: CommandIo): Promise<boolean> {
  if (!io.isTerminal)
    throw new AppError('USAGE', {
      problem:
        'Nobody is here to answer. Look at the files above, then run `capstan config trust --yes`.',
    });
  io.stderr('Trust these files as they are? [y/N] ');
  const lines = createInterface({ input: io.input ?? process.stdin });
  try {
    for await (const line of lines) return /^\s*y(es)?\s*$/i.test(line);
    return false;
  } finally {
    lines.close();
  }
}

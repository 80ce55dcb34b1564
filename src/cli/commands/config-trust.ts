import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { readTrustedFile, trustAll } from '../../config/project-files.ts';
import { acceptProject } from '../../config/project-trust.ts';
import type { Project, ProjectFile } from '../../config/settings.ts';
import { printable } from '../../contract/text/printable.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { confirm } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';

/** Files that are shown in full, up to this many lines; of the others the names are shown. */
const shownInFull = new Set(['capstan.yaml', 'capstan.policy.yaml', 'AGENTS.md']);
const maxLines = 200;

export const trustCommand: CommandDefinition = {
  name: 'trust',
  summary: "Show the project's Capstan files and accept them as they are now",
  options: [
    { flags: '-w, --workspace <dir>', description: 'the project' },
    { flags: '-y, --yes', description: 'accept without a question' },
    { flags: '--json', description: 'print JSON, and accept only with --yes' },
  ],
  examples: ['capstan config trust', 'capstan config trust --yes'],
  run: trustProject,
};

async function trustProject({ options }: CommandArguments, io: CommandIo): Promise<number> {
  const { environment, cwd } = io;
  const load = (flags: Readonly<Record<string, unknown>>) =>
    loadSettings({ flags, environment, cwd, installFolder: installFolder() });
  const { settings, project } = await load(options);
  const isJson = options['json'] === true;
  if (!isJson) io.stdout(introductionOf(project));
  if (!isAnythingNew(project) || (isJson && options['yes'] !== true)) {
    if (isJson) printJson(io, documentOf(project, []));
    return exitCodes.completed;
  }
  // What would stop every later start in this folder is told now, and nothing is recorded.
  const trusted = await load({ ...options, trustProject: true });
  for (const notice of trusted.notices) io.stderr(`note: ${notice}\n`);
  if (options['yes'] !== true && !(await confirm('Trust these files as they are?', io))) {
    io.stderr('Nothing was recorded.\n');
    return exitCodes.failed;
  }
  acceptProject(settings.places.configDir, project);
  const accepted = project.files.filter(({ sha256 }) => sha256 !== undefined);
  const count = `${accepted.length} file${accepted.length === 1 ? '' : 's'}`;
  if (isJson) printJson(io, documentOf(project, accepted));
  else io.stdout(`Trusted: ${count} of ${project.folder}.\n`);
  return exitCodes.completed;
}

const isAnythingNew = ({ files }: Project): boolean =>
  files.some(({ state }) => state !== 'trusted' && state !== 'unfit');

/** The files as they were found, and those that were accepted now. */
const documentOf = ({ folder, files }: Project, accepted: readonly ProjectFile[]) => ({
  folder,
  files: files.map(({ path, state, sha256 }) => ({ path, state, sha256: sha256 ?? null })),
  accepted: accepted.map(({ path }) => path),
});

function introductionOf(project: Project): string {
  if (project.files.length === 0)
    return `${project.folder} holds no Capstan files: there is nothing to trust.\n`;
  const lines = describe(project).map((line) => `${line}\n`);
  return `${lines.join('')}${isAnythingNew(project) ? '' : 'Nothing new to trust.\n'}`;
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

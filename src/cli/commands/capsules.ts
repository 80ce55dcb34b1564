import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { isFolderTrusted } from '../../config/project-files.ts';
import { AppError } from '../../errors.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { confirm } from '../confirm.ts';
import { escapeText } from '../escape-text.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../format.ts';

const json = { flags: '--json', description: 'print JSON' };
const project = [
  { flags: '-w, --workspace <dir>', description: 'the folder whose capsules to show, too' },
  { flags: '--trust-project', description: "take the project's files as trusted, this once" },
];

export const command: CommandDefinition = {
  name: 'capsules',
  summary: 'Look at the capsules there are, and tend your own',
  options: [],
  examples: ['capstan capsules list', 'capstan capsules inspect log-analyst'],
  subcommands: [
    {
      name: 'list',
      summary: 'List capsules: those that ship, your own, and a trusted project’s',
      options: [...project, json],
      examples: ['capstan capsules list', 'capstan capsules list --json'],
      run: (args, io) => withCapsules(args, io, list),
    },
    {
      name: 'inspect',
      summary: 'Show one capsule: what it is for, may use and knows',
      arguments: '<id>',
      options: [...project, json],
      examples: ['capstan capsules inspect log-analyst', 'capstan capsules inspect mine --json'],
      run: (args, io) => withCapsules(args, io, inspect),
    },
    {
      name: 'delete',
      summary: 'Move one of your own capsules, with its memory and logs, into the archive',
      arguments: '<id>',
      options: [{ flags: '-y, --yes', description: 'do not ask' }, json],
      examples: ['capstan capsules delete mine', 'capstan capsules delete mine --yes'],
      run: (args, io) => withCapsules(args, io, remove),
    },
    {
      name: 'rewrite-entrypoints',
      summary: "Bring the shims of your own capsules to today's form",
      options: [json],
      examples: ['capstan capsules rewrite-entrypoints'],
      run: (args, io) => withCapsules(args, io, rewrite),
    },
  ],
  run: async (_args, io) => {
    io.stderr(
      'capstan capsules: say list, inspect, delete or rewrite-entrypoints (see `capstan capsules --help`)\n',
    );
    return exitCodes.usage;
  },
};

interface Here {
  readonly capsules: readonly Capsule[];
  readonly args: CommandArguments;
  readonly io: CommandIo;
  /** `agents/` of the person's data folder: own capsules, and every capsule's memory. */
  readonly personal: string;
  readonly archive: string;
}

async function withCapsules(
  args: CommandArguments,
  io: CommandIo,
  body: (here: Here) => Promise<number> | number,
): Promise<number> {
  const { environment, cwd } = io;
  const install = installFolder();
  const loaded = await loadSettings({
    flags: args.options,
    environment,
    cwd,
    installFolder: install,
  });
  const { readCapsules } = await import('../../registry/capsule-store.ts');
  const { dataDir } = loaded.settings.places;
  const personal = join(dataDir, 'agents');
  const { capsules, problems } = readCapsules({
    shipped: join(install, 'agents'),
    personal,
    project: {
      dir: join(loaded.project.folder, 'agents'),
      isTrusted: (id) => isFolderTrusted(loaded.project, `agents/${id}`),
    },
  });
  for (const text of problems) io.stderr(`note: ${escapeText(text, true)}\n`);
  return body({ capsules, args, io, personal, archive: join(dataDir, 'archive') });
}

function list({ capsules, args, io }: Here): number {
  if (args.options['json'] === true) {
    print(io, capsules.map(summaryOf));
    return exitCodes.completed;
  }
  const rows = capsules.map(({ id, origin, manifest }) => [
    id,
    origin,
    manifest.task_kinds.map(({ mode }) => mode).join(', '),
    shorten(manifest.description, 80),
  ]);
  io.stdout(formatTable([['capsule', 'origin', 'works as', 'for'], ...rows]));
  return exitCodes.completed;
}

async function inspect(here: Here): Promise<number> {
  const { args, io, personal } = here;
  const capsule = find(here);
  const { countMemories } = await import('../../memory/open-memory.ts');
  const memories = countMemories(join(personal, capsule.id, 'memory.db'));
  const { dir, hash, manifest, overlay } = capsule;
  if (args.options['json'] === true) {
    print(io, {
      ...summaryOf(capsule),
      dir,
      hash,
      memories,
      overlay: overlay?.path ?? null,
      manifest,
    });
    return exitCodes.completed;
  }
  const facts = [
    ['capsule', capsule.id],
    ['name', escapeText(manifest.name)],
    ['origin', capsule.origin],
    ['version', manifest.version],
    ['folder', dir],
    ['hash', hash.slice(0, 16)],
    ['starts as', manifest.entrypoint.map((word) => escapeText(word)).join(' ')],
    ['skills', manifest.skills.join(', ') || '-'],
    ['overlay', overlay?.path ?? '-'],
    ['remembers', `${memories} ${memories === 1 ? 'item' : 'items'}`],
  ];
  io.stdout(`${formatTable(facts)}\n${escapeText(manifest.description)}\n`);
  const grants = Object.entries(manifest.grants.tools).map(([tool, grant]) => [
    `  ${escapeText(tool)}`,
    escapeText(describeGrant(grant)),
  ]);
  io.stdout(`\nMay ask for\n${grants.length > 0 ? formatTable(grants) : '  no tool\n'}`);
  const kinds = manifest.task_kinds.flatMap(({ name, mode, description, examples }) => [
    [`  ${name}`, mode, shorten(description, 100)],
    ...examples.map((example) => ['', '', `“${shorten(example, 90)}”`]),
  ]);
  io.stdout(`\nTask kinds\n${formatTable(kinds)}`);
  return exitCodes.completed;
}

async function remove(here: Here): Promise<number> {
  const { args, io, archive } = here;
  const { id, origin, dir } = find(here);
  if (origin !== 'personal') {
    const problem = `"${id}" is a ${origin} capsule (${dir}). Only your own can be deleted.`;
    throw new AppError('USAGE', { problem });
  }
  if (args.options['yes'] !== true && !(await confirm(`Delete the capsule "${id}"?`, io))) {
    io.stderr('Nothing was deleted.\n');
    return exitCodes.failed;
  }
  mkdirSync(archive, { recursive: true, mode: 0o700 });
  const kept = join(archive, `${id}-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  renameSync(dir, kept);
  if (args.options['json'] === true) print(io, { deleted: id, kept });
  else io.stdout(`Deleted "${id}". What it was is kept in ${kept}\n`);
  return exitCodes.completed;
}

async function rewrite({ capsules, args, io }: Here): Promise<number> {
  const { rewriteEntrypoint } = await import('../../registry/entrypoint-shim.ts');
  const outcomes = capsules
    .filter(({ origin }) => origin === 'personal')
    .map(({ id, dir }) => ({ id, outcome: rewriteEntrypoint(dir) }));
  if (args.options['json'] === true) print(io, outcomes);
  else if (outcomes.length === 0) io.stdout('You have no capsules of your own.\n');
  else io.stdout(formatTable(outcomes.map(({ id, outcome }) => [id, wordsFor[outcome]])));
  return exitCodes.completed;
}

const wordsFor = {
  rewritten: "brought to today's form",
  current: 'already as it should be',
  own: 'left alone: an entrypoint of its own',
} as const;

function find({ capsules, args }: Here): Capsule {
  const id = args.positionals[0] ?? '';
  const capsule = capsules.find((one) => one.id === id);
  if (capsule) return capsule;
  throw new AppError('CAPSULE_UNKNOWN', { id, known: capsules.map((one) => one.id) });
}

const summaryOf = ({ id, origin, manifest }: Capsule) => ({
  id,
  name: manifest.name,
  origin,
  version: manifest.version,
  description: manifest.description,
  task_kinds: manifest.task_kinds.map(({ name, mode }) => ({ name, mode })),
  tools: Object.keys(manifest.grants.tools),
  skills: manifest.skills,
});

function describeGrant(grant: Capsule['manifest']['grants']['tools'][string]): string {
  const parts = Object.entries(grant).map(
    ([what, patterns]) => `${what}: ${(patterns ?? []).join(', ')}`,
  );
  return parts.join(' · ') || 'nothing but the tool itself';
}

function shorten(text: string, length: number): string {
  const line = escapeText(text.replace(/\s+/g, ' '));
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

const print = (io: CommandIo, document: unknown): void =>
  io.stdout(`${JSON.stringify(document, undefined, 2)}\n`);

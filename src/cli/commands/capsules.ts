import { join } from 'node:path';
import { escapeText } from '../../config/escape-text.ts';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { isFolderTrusted } from '../../config/project-files.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../format.ts';
import { printJson } from '../print-json.ts';
import { shorten } from '../shorten.ts';
import { type CapsulesHere, findCapsule } from './capsules-ground.ts';
import { deleteCapsule, rewriteEntrypoints } from './capsules-own.ts';

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
      run: (args, io) => withCapsules(args, io, deleteCapsule),
    },
    {
      name: 'rewrite-entrypoints',
      summary: "Bring the shims of your own capsules to today's form",
      options: [json],
      examples: ['capstan capsules rewrite-entrypoints'],
      run: (args, io) => withCapsules(args, io, rewriteEntrypoints),
    },
  ],
  run: async (_args, io) => {
    io.stderr(
      'capstan capsules: say list, inspect, delete or rewrite-entrypoints (see `capstan capsules --help`)\n',
    );
    return exitCodes.usage;
  },
};

async function withCapsules(
  args: CommandArguments,
  io: CommandIo,
  body: (here: CapsulesHere) => Promise<number> | number,
): Promise<number> {
  const { environment, cwd } = io;
  const install = installFolder();
  const loaded = await loadSettings({
    flags: args.options,
    environment,
    cwd,
    installFolder: install,
  });
  const { readCapsule, readCapsules } = await import('../../registry/capsule-store.ts');
  const { dataDir, stateDir } = loaded.settings.places;
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
  const archive = join(dataDir, 'archive');
  return body({ capsules, readCapsule, args, io, personal, archive, stateDir });
}

function list({ capsules, args, io }: CapsulesHere): number {
  if (args.options['json'] === true) {
    printJson(io, capsules.map(summaryOf));
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

async function inspect(here: CapsulesHere): Promise<number> {
  const { args, io, personal } = here;
  const capsule = findCapsule(here);
  const { countMemories } = await import('../../memory/open-memory.ts');
  const memories = countMemories(join(personal, capsule.id, 'memory.db'));
  const { dir, hash, manifest, overlay } = capsule;
  if (args.options['json'] === true) {
    printJson(io, {
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

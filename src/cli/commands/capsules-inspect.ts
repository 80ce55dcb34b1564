import { join } from 'node:path';
import { escapeText } from '../../config/escape-text.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../format.ts';
import { printJson } from '../print-json.ts';
import { shorten } from '../shorten.ts';
import {
  type CapsulesHere,
  findCapsule,
  jsonOption,
  projectOptions,
  withCapsules,
} from './capsules-ground.ts';

export const capsulesInspect: CommandDefinition = {
  name: 'inspect',
  summary: 'Show one capsule: what it is for, may use and knows',
  arguments: '<id>',
  options: [...projectOptions, jsonOption],
  examples: ['capstan capsules inspect log-analyst', 'capstan capsules inspect mine --json'],
  run: withCapsules(inspect),
};

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

/** A capsule in brief, for JSON. */
export const summaryOf = ({ id, origin, manifest }: Capsule) => ({
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

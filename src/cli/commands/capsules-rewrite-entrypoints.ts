import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../format.ts';
import { printJson } from '../print-json.ts';
import { type CapsulesHere, jsonOption, withCapsules } from './capsules-ground.ts';
import { ownIds } from './capsules-own.ts';
import { PERSON, withRecords } from './capsules-records.ts';

export const capsulesRewriteEntrypoints: CommandDefinition = {
  name: 'rewrite-entrypoints',
  summary: "Bring the shims of your own capsules to today's form",
  options: [jsonOption],
  examples: ['capstan capsules rewrite-entrypoints'],
  run: withCapsules(rewriteEntrypoints),
};

/** What was agreed to before stays agreed to, since only the shim is another. */
async function rewriteEntrypoints(here: CapsulesHere): Promise<number> {
  const { args, io, personal, stateDir } = here;
  const { rewriteEntrypoint } = await import('../../registry/manifest/entrypoint-shim.ts');
  const { readCapsule } = await import('../../registry/capsule-store.ts');
  const hashOf = (dir: string): string | undefined => {
    try {
      return readCapsule(dir, 'personal').hash;
    } catch {
      return undefined;
    }
  };
  const outcomes: { id: string; outcome: keyof typeof wordsFor }[] = [];
  const changes: Change[] = [];
  for (const id of ownIds(personal)) {
    const dir = join(personal, id);
    const before = hashOf(dir);
    const outcome = rewriteEntrypoint(dir);
    outcomes.push({ id, outcome });
    const after = outcome === 'rewritten' ? hashOf(dir) : undefined;
    if (before !== undefined && after !== undefined) changes.push({ id, dir, before, after });
  }
  await keepAgreed(stateDir, changes);
  if (args.options['json'] === true) printJson(io, outcomes);
  else if (outcomes.length === 0) io.stdout('You have no capsules of your own.\n');
  else io.stdout(formatTable(outcomes.map(({ id, outcome }) => [id, wordsFor[outcome]])));
  return exitCodes.completed;
}

const wordsFor = {
  rewritten: "brought to today's form",
  current: 'already as it should be',
  own: 'left alone: an entrypoint of its own',
} as const;

interface Change {
  readonly id: string;
  readonly dir: string;
  /** Hashes of the capsule. */
  readonly before: string;
  readonly after: string;
}

async function keepAgreed(stateDir: string, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0 || !existsSync(join(stateDir, 'capstan.db'))) return;
  await withRecords(stateDir, ({ write, agreed, audit }) => {
    for (const { id: capsuleId, dir, before, after: hash } of changes) {
      write(() => {
        if (agreed.hashOf(capsuleId, dir) !== before) return;
        agreed.agree({ capsuleId, dir, hash, by: PERSON });
        const detail = { dir, hash, by: PERSON, before, because: 'rewrite-entrypoints' };
        const action = 'capsule.agreed';
        audit.append({ actor: PERSON, action, runId: null, ref: capsuleId, detail });
      });
    }
  });
}

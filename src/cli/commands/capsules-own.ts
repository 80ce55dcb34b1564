import { existsSync, lstatSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import { confirm } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../format.ts';
import { printJson } from '../print-json.ts';
import { type CapsulesHere, findCapsule } from './capsules-ground.ts';

/** `capsules delete`: one's own folder goes, also where nothing else can be done with it. */
export async function deleteCapsule(here: CapsulesHere): Promise<number> {
  const { args, io, archive } = here;
  const [id = ''] = args.positionals;
  const dir = ownFolder(here, id) ?? refuse(findCapsule(here));
  if (args.options['yes'] !== true && !(await confirm(`Delete the capsule "${id}"?`, io))) {
    io.stderr('Nothing was deleted.\n');
    return exitCodes.failed;
  }
  makeFolder(archive);
  const kept = join(archive, `${id}-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  renameSync(dir, kept);
  if (args.options['json'] === true) printJson(io, { deleted: id, kept });
  else io.stdout(`Deleted "${id}". What it was is kept in ${kept}\n`);
  return exitCodes.completed;
}

function refuse({ id, origin, dir }: Capsule): never {
  const problem = `"${id}" is a ${origin} capsule (${dir}). Only your own can be deleted.`;
  throw new AppError('USAGE', { problem });
}

/** `capsules rewrite-entrypoints`: what was agreed to before stays agreed to, since only the shim is another. */
export async function rewriteEntrypoints(here: CapsulesHere): Promise<number> {
  const { args, io, personal, stateDir } = here;
  const { rewriteEntrypoint } = await import('../../registry/entrypoint-shim.ts');
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
  const path = join(stateDir, 'capstan.db');
  if (changes.length === 0 || !existsSync(path)) return;
  const { openDatabase } = await import('../../db/open-database.ts');
  const { createAgreedCapsules } = await import('../../broker/agreed-capsules.ts');
  const { createAudit } = await import('../../broker/audit.ts');
  const db = openDatabase(path);
  try {
    const agreed = createAgreedCapsules(db);
    const audit = createAudit(db);
    const actor = 'person:cli';
    for (const { id: capsuleId, dir, before, after: hash } of changes) {
      db.transaction(() => {
        if (agreed.hashOf(capsuleId, dir) !== before) return;
        agreed.agree({ capsuleId, dir, hash, by: actor });
        const detail = { dir, hash, by: actor, before, because: 'rewrite-entrypoints' };
        audit.append({ actor, action: 'capsule.agreed', runId: null, ref: capsuleId, detail });
      }).immediate();
    }
  } finally {
    db.close();
  }
}

/** The folders of the person's own capsules, whatever is wrong with them; one without a manifest only holds records. */
function ownIds(personal: string): string[] {
  if (!existsSync(personal)) return [];
  return readdirSync(personal, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(personal, entry.name, MANIFEST)))
    .map(({ name }) => name)
    .filter((name) => name !== 'skills' && !name.startsWith('.'))
    .sort();
}

const MANIFEST = 'manifest.json';

function ownFolder({ personal }: CapsulesHere, id: string): string | undefined {
  const isThere = ownIds(personal).includes(id) && lstatSync(join(personal, id)).isDirectory();
  return isThere ? join(personal, id) : undefined;
}

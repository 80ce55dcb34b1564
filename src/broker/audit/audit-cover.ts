import type { Db } from '../../db/open-database.ts';
import { sha256 } from '../../platform/canonical-hash.ts';
import { INTENT_COLUMNS } from '../intent/intent-rows.ts';

/** Which lines of the audit speak of the rows of one table, and what they vouch for. */
export interface Cover {
  /** How the actions of its lines begin: `intent.`; or the only one there is: `capsule.agreed`. */
  readonly action: string;
  readonly table: string;
  /** Columns that name a row: the first is the line's `ref`, a second one stands in its detail. */
  readonly key: readonly [string, string?];
  /** Nobody changes one of these without a line, which holds the hash of them all as `row`. */
  readonly columns: readonly string[];
  /** Columns that a line may name as well, by the names that they have there. */
  readonly told: Readonly<Record<string, string>>;
  /** What a row is called before people. */
  readonly called: string;
}

/**
 * All that audit vouches for. Not covered: the leases of runs, requests to cancel them, subtasks and attempts, events,
 * breakers, hashes of files, and how capsules fare.
 */
export const covers: readonly Cover[] = [
  {
    action: 'intent.',
    table: 'intents',
    key: ['id'],
    columns: INTENT_COLUMNS,
    told: {
      became: 'status',
      name: 'name',
      target: 'target',
      tier: 'tier',
      rule: 'rule',
      request: 'request_hash',
      cost_micro_usd: 'cost_micro_usd',
    },
    called: 'intent',
  },
  {
    action: 'approval.',
    table: 'approvals',
    key: ['id'],
    columns:
      words(`run_id intent_id subtask_id capsule_id kind question why details capsule_reason operation target
      tier cost_micro_usd request_hash workspace capsule_hash binding policy_version is_forced choices status answer
      answered_by note created_at expires_at answered_at consumed_at`),
    told: { kind: 'kind', binding: 'binding', answer: 'answer', by: 'answered_by', note: 'note' },
    called: 'question',
  },
  {
    action: 'run.',
    table: 'runs',
    key: ['id'],
    columns:
      words(`session_id task workspace provider isolation options status reason answer error seed policy
      policy_version wish forked_from forked_at created_at ended_at`),
    told: { status: 'status', reason: 'reason', provider: 'provider', isolation: 'isolation' },
    called: 'run',
  },
  {
    action: 'answer.',
    table: 'remembered_answers',
    key: ['id'],
    columns:
      words(`answer run_id capsule_id capsule_hash workspace operation pattern most_uses uses expires_at
      created_at created_by revoked_at`),
    told: { answer: 'answer' },
    called: 'remembered answer',
  },
  {
    action: 'trust.',
    table: 'trust',
    key: ['capsule_id', 'tier'],
    columns: words('level approved denied failures_in_a_row changed_at'),
    told: { to: 'level' },
    called: 'trust of',
  },
  {
    action: 'capsule.agreed',
    table: 'agreed_capsules',
    key: ['capsule_id', 'dir'],
    columns: words('hash agreed_at agreed_by'),
    told: { hash: 'hash', by: 'agreed_by' },
    called: 'agreement to',
  },
  {
    action: 'budget.',
    table: 'budget_raises',
    key: ['id'],
    columns: words('scope subject micro_usd approval_id raised_at'),
    told: { microUsd: 'micro_usd', approval: 'approval_id' },
    called: 'raise',
  },
  {
    action: 'message.',
    table: 'messages',
    key: ['id'],
    columns: words('run_id seq text sent_by created_at taken_at'),
    told: { by: 'sent_by' },
    called: 'message',
  },
];

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

/** Undefined where lines of this action vouch for no row. */
export const coverOf = (action: string): Cover | undefined =>
  covers.find((cover) =>
    cover.action.endsWith('.') ? action.startsWith(cover.action) : action === cover.action,
  );

/**
 * SHA-256, in hexadecimal, of a row's columns in their order: NUL between them, then which of them are null, as bits; then the
 * lengths of all texts where one of them holds a NUL itself.
 */
export function rowHash(values: readonly unknown[]): string {
  let nulls = 0;
  for (const value of values) nulls = nulls * 2 + Number(value === null || value === undefined);
  const text = values.join(NUL);
  const lengths = placesOf(NUL, text) < values.length ? '' : values.map(lengthOf).join();
  return sha256(`${text}${NUL}${nulls}${lengths}`);
}

const NUL = '\u0000';

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : -1);

function placesOf(mark: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
}

/** The names of the row that a line speaks of. */
export const keyOf = (
  { key: [, second] }: Cover,
  { ref, detail }: { readonly ref: string; readonly detail: Readonly<Record<string, unknown>> },
): readonly unknown[] => (second === undefined ? [ref] : [ref, detail[second]]);

/** Works out what a line says of its row: the hash as it stands now, null where there is no such row (any more). */
export function createRowHasher(db: Db) {
  const select = ({ table, key, columns }: Cover) =>
    db
      .prepare<unknown[], unknown[]>(
        `SELECT ${columns.join(', ')} FROM ${table} WHERE ${key.map((name) => `${name} = ?`).join(' AND ')}`,
      )
      .raw();
  const statements = new Map<Cover, ReturnType<typeof select>>();
  return (cover: Cover, key: readonly unknown[]): string | null => {
    const statement = statements.get(cover) ?? select(cover);
    statements.set(cover, statement);
    const values = statement.get(...key);
    return values ? rowHash(values) : null;
  };
}

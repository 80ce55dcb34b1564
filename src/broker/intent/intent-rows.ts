import type { IntentRecord, IntentSummary } from '../../contract/intent.ts';
import type { Db } from '../../db/open-database.ts';
import { wellFormed } from '../../platform/well-formed.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';
import { openStatuses } from './transitions.ts';

/** The rows of intents. */
export interface IntentRows {
  /** Inserts or updates the row. Returns the stored values, in the order of `INTENT_COLUMNS`. */
  write(intent: IntentRecord): readonly unknown[];
  /** In the order in which they were proposed. */
  ofRun(runId: string): readonly IntentRecord[];
  /** The same with `outcome` left undefined: all outcomes of a run may be too much to hold. */
  withoutOutcomesOf(runId: string): readonly IntentRecord[];
  ofAttempt(attemptId: string): readonly IntentRecord[];
  /** Those that have not ended yet. */
  openOf(runId: string): readonly IntentRecord[];
  summariesOf(runId: string): readonly IntentSummary[];
  reuse(attemptId: string, intentId: string): void;
  forget(attemptId: string, intentId: string): void;
}

/** Plain statements, to be called inside the journal's transactions. */
export function createIntentRows(db: Db, redactor: Redactor): IntentRows {
  const upsert = db.prepare(UPSERT);
  const update = db.prepare(UPDATE);
  /**
   * The last written values of each open intent: an update takes half as long as an upsert, and unchanged
   * values are not converted again.
   */
  const open = new Map<string, { readonly intent: IntentRecord; readonly values: unknown[] }>();
  const ofRun = db.prepare<[string], { row: string }>(
    `SELECT ${ROW_AS_JSON} AS row FROM intents WHERE run_id = ? ORDER BY seq`,
  );
  const withoutOutcomes = db.prepare<[string], { row: string }>(
    `SELECT ${rowAsJson(WITHOUT_OUTCOME)} AS row FROM intents WHERE run_id = ? ORDER BY seq`,
  );
  const ofOpen = db.prepare<[string], { row: string }>(`
    SELECT ${ROW_AS_JSON} AS row FROM intents
    WHERE run_id = ? AND status IN (${[...openStates].map((state) => `'${state}'`).join(', ')}) ORDER BY seq`);
  const ofAttempt = db.prepare<[{ attempt: string }], { row: string }>(`
    SELECT ${ROW_AS_JSON} AS row FROM intents
    WHERE attempt_id = @attempt OR id IN (SELECT intent_id FROM reused_intents WHERE attempt_id = @attempt)
    ORDER BY seq`);
  const summaries = db.prepare<[string], IntentSummary & { outcome: string | null }>(`
    SELECT subtask_id AS subtaskId, kind, name, target, tier, status, step, rule, denial,
      iif(status IN ('denied', 'failed'), outcome, NULL) AS outcome
    FROM intents WHERE run_id = ? ORDER BY seq`);
  const reuse = db.prepare(
    'INSERT OR IGNORE INTO reused_intents (attempt_id, intent_id) VALUES (?, ?)',
  );
  const forget = db.prepare('DELETE FROM reused_intents WHERE attempt_id = ? AND intent_id = ?');
  const change = (id: string, values: readonly unknown[]): boolean => {
    const changed = values.filter((_, at) => isChanging[at]);
    return update.run(changed, id).changes === 1;
  };
  const stored = (at: number, value: unknown): unknown => {
    if (isDocument[at]) return value === undefined ? null : redactor.json(value);
    return isSpoken[at] ? wellFormed(redactor.redact(value)) : value;
  };
  return {
    write(intent) {
      const { id, runId, status } = intent;
      const before = open.get(id);
      const values = names.map((name, at) =>
        before && before.intent[name] === intent[name]
          ? before.values[at]
          : stored(at, intent[name]),
      );
      if (!(before && change(id, values))) upsert.run(values, runId);
      if (openStates.has(status)) open.set(id, { intent, values });
      else open.delete(id);
      return values;
    },
    ofRun: (runId) => Array.from(ofRun.iterate(runId), ({ row }) => parseIntent(row)),
    withoutOutcomesOf: (runId) =>
      Array.from(withoutOutcomes.iterate(runId), ({ row }) => parseIntent(row)),
    ofAttempt: (attempt) =>
      Array.from(ofAttempt.iterate({ attempt }), ({ row }) => parseIntent(row)),
    openOf: (runId) => ofOpen.all(runId).map(({ row }) => parseIntent(row)),
    summariesOf: (runId) =>
      summaries.all(runId).map(({ outcome, ...rest }) => ({
        ...rest,
        outcome: outcome === null ? undefined : (JSON.parse(outcome) as unknown),
      })),
    reuse: (attemptId, intentId) => void reuse.run(attemptId, intentId),
    forget: (attemptId, intentId) => void forget.run(attemptId, intentId),
  };
}

function parseIntent(row: string): IntentRecord {
  const { outcome, facts, effects, ...rest } = JSON.parse(row) as IntentRecord;
  return {
    ...rest,
    outcome: outcome ?? undefined,
    facts: facts ?? undefined,
    effects: effects ?? undefined,
  };
}

const COLUMNS = {
  id: 'id',
  runId: 'run_id',
  attemptId: 'attempt_id',
  subtaskId: 'subtask_id',
  capsuleId: 'capsule_id',
  wireId: 'wire_id',
  kind: 'kind',
  name: 'name',
  target: 'target',
  tier: 'tier',
  repeatability: 'repeatability',
  request: 'request',
  requestHash: 'request_hash',
  askedHash: 'asked_hash',
  reason: 'reason',
  status: 'status',
  step: 'step',
  rule: 'rule',
  denial: 'denial',
  outcome: 'outcome',
  facts: 'facts',
  effects: 'effects',
  reservedMicroUsd: 'reserved_micro_usd',
  reservedTokens: 'reserved_tokens',
  costMicroUsd: 'cost_micro_usd',
  inputTokens: 'input_tokens',
  cachedInputTokens: 'cached_input_tokens',
  outputTokens: 'output_tokens',
  proposedAt: 'proposed_at',
  startedAt: 'started_at',
  endedAt: 'ended_at',
} as const satisfies Record<keyof IntentRecord, string>;

/** Columns that hold JSON. */
const documents: ReadonlySet<string> = new Set(['request', 'outcome', 'facts', 'effects']);

/** Columns with text written by the capsule. */
const spoken: ReadonlySet<string> = new Set(['wireId', 'name', 'target', 'reason']);

const names = Object.keys(COLUMNS) as readonly (keyof IntentRecord)[];
const isDocument = names.map((name) => documents.has(name));
const isSpoken = names.map((name) => spoken.has(name));

/** All columns except `seq`, the position in the run. */
export const INTENT_COLUMNS: readonly string[] = Object.values(COLUMNS);

/** Columns that never change after the proposal. */
const fixed: ReadonlySet<string> = new Set([
  'id',
  'run_id',
  'attempt_id',
  'subtask_id',
  'capsule_id',
  'wire_id',
  'kind',
  'reason',
  'proposed_at',
]);
const changing = INTENT_COLUMNS.filter((name) => !fixed.has(name));
const isChanging = INTENT_COLUMNS.map((name) => !fixed.has(name));

const openStates: ReadonlySet<string> = new Set(openStatuses);

const UPSERT = `
  INSERT INTO intents (${INTENT_COLUMNS.join(', ')}, seq)
  VALUES (${names.map(() => '?').join(', ')},
    (SELECT coalesce(max(seq), 0) + 1 FROM intents WHERE run_id = ?))
  ON CONFLICT (id) DO UPDATE SET ${changing.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const UPDATE = `UPDATE intents SET ${changing.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;

const rowAsJson = (columns: Readonly<Record<string, string>>): string =>
  `json_object(${Object.entries(columns)
    .map(([name, column]) =>
      documents.has(name) ? `'${name}', json(${column})` : `'${name}', ${column}`,
    )
    .join(', ')})`;

const ROW_AS_JSON = rowAsJson(COLUMNS);

const { outcome: _, ...WITHOUT_OUTCOME } = COLUMNS;

import type { IntentRecord, IntentSummary } from '../../contract/intent.ts';
import type { Db } from '../../db/open-database.ts';
import { tableOf } from '../../db/sql/table.ts';
import { wellFormed } from '../../platform/text/well-formed.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';
import { intentColumns } from '../audit/covers.ts';
import { openStatuses } from './transitions.ts';

/** Plain statements, to be called inside the journal's transactions. */
export function createIntentRows(db: Db, redactor: Redactor) {
  const upsert = db.prepare(UPSERT);
  const updates = new Map<string, ReturnType<typeof prepareUpdate>>();
  const prepareUpdate = (set: string) =>
    db.prepare<[unknown[]]>(`UPDATE intents SET ${set} WHERE id = ? AND status = ?`);
  const updateOf = (columns: readonly string[]) => {
    const set = columns.map((name) => `${name} = ?`).join(', ');
    const update = updates.get(set) ?? prepareUpdate(set);
    updates.set(set, update);
    return update;
  };
  /** The last written values of each open intent: only what changed is converted and written again. */
  const open = new Map<string, { readonly intent: IntentRecord; readonly values: unknown[] }>();
  const reuse = db.prepare<[string, string]>(
    'INSERT OR IGNORE INTO reused_intents (attempt_id, intent_id) VALUES (?, ?)',
  );
  const forget = db.prepare<[string, string]>(
    'DELETE FROM reused_intents WHERE attempt_id = ? AND intent_id = ?',
  );
  const document = (value: unknown) => (value === undefined ? null : redactor.json(value));
  const capsuleText = (value: unknown) => wellFormed(redactor.redact(value));
  const asIs = (value: unknown) => value;
  const stored = names.map((name) =>
    documents.has(name) ? document : capsuleTexts.has(name) ? capsuleText : asIs,
  );
  /** Returns false if the row is gone, or another process has changed it. */
  const update = (id: string, before: readonly unknown[], values: readonly unknown[]): boolean => {
    const changed = changing.filter((at) => at === STATUS || values[at] !== before[at]);
    const where = [id, before[STATUS]];
    const statement = updateOf(changed.map((at) => INTENT_COLUMNS[at] ?? ''));
    return statement.run([...changed.map((at) => values[at]), ...where]).changes > 0;
  };
  return {
    /** Inserts or updates the row. Returns the stored values, in the order of `INTENT_COLUMNS`. */
    write(intent: IntentRecord): readonly unknown[] {
      const { id, runId, status } = intent;
      const before = open.get(id);
      const values = names.map((name, at) =>
        before && before.intent[name] === intent[name]
          ? before.values[at]
          : stored[at]?.(intent[name]),
      );
      if (!before || !update(id, before.values, values)) upsert.run(values, runId);
      if (openStatuses.includes(status)) open.set(id, { intent, values });
      else open.delete(id);
      return values;
    },
    /** To be called after a transaction failed: its values were not written. */
    forgetValues: () => open.clear(),
    reuse: (attemptId: string, intentId: string) => void reuse.run(attemptId, intentId),
    forget: (attemptId: string, intentId: string) => void forget.run(attemptId, intentId),
  };
}

/** In the order in which they were proposed. With `pick`, only a part of each is held: all may be too much. */
export function createIntentReaders(db: Db) {
  type Summary = IntentSummary & { outcome: string | null; facts: string | null };
  const summaries = db.prepare<[string], Summary>(`
    SELECT subtask_id AS subtaskId, kind, name, target, tier, status, step, rule, denial,
      iif(status IN ('denied', 'failed'), outcome, NULL) AS outcome,
      iif(denial = 'budget', facts, NULL) AS facts
    FROM intents WHERE run_id = ? ORDER BY seq`);
  const texts = db.prepare<
    [string],
    { kind: string; request: string | null; outcome: string | null }
  >('SELECT kind, request, outcome FROM intents WHERE id = ?');
  return {
    intentsOf: reader(db, ROW_AS_JSON, 'run_id = @id'),
    /** The same, faster, with `outcome` left undefined. */
    pickWithoutOutcomes: reader(db, WITHOUT_OUTCOME, 'run_id = @id'),
    /** Those of a run that have not ended yet. */
    openIntentsOf: reader(
      db,
      ROW_AS_JSON,
      `run_id = @id AND status IN ('${openStatuses.join("', '")}')`,
    ),
    /** The record of an attempt: its own intents and those that it reuses. */
    recordOf: reader(
      db,
      ROW_AS_JSON,
      'attempt_id = @id OR id IN (SELECT intent_id FROM reused_intents WHERE attempt_id = @id)',
    ),
    /** Name, target and status of each intent of a run. */
    summariesOf: (runId: string): readonly IntentSummary[] =>
      summaries
        .all(runId)
        .map((row) => ({ ...row, outcome: parsed(row.outcome), facts: parsed(row.facts) })),
    /** Kind, request and outcome of one intent, without secrets; undefined if it has no row. */
    textsOf(id: string) {
      const row = texts.get(id);
      return row && { ...row, request: parsed(row.request), outcome: parsed(row.outcome) };
    },
  };
}

const parsed = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text));

function reader(db: Db, row: string, where: string) {
  const statement = db
    .prepare<[object], string>(`SELECT ${row} FROM intents WHERE ${where} ORDER BY seq`)
    .pluck();
  return <T = IntentRecord>(
    id: string,
    pick: (intent: IntentRecord) => T = (intent) => intent as T,
  ): T[] => Array.from(statement.iterate({ id }), (text) => pick(parseIntent(text)));
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

const intents = tableOf('intents', intentColumns.join(' '));

/** All columns except `seq`, the position in the run. */
export const INTENT_COLUMNS = intents.names;

const documents: ReadonlySet<string> = new Set(['request', 'outcome', 'facts', 'effects']);

/** Columns with text written by the capsule. */
const capsuleTexts: ReadonlySet<string> = new Set(['wireId', 'name', 'target', 'reason']);

const names = intents.fields as readonly (keyof IntentRecord)[];

/** Columns that never change after the proposal. */
const fixed: ReadonlySet<string> = new Set(
  'id run_id attempt_id subtask_id capsule_id wire_id kind reason proposed_at'.split(' '),
);
const changing = [...INTENT_COLUMNS.keys()].filter((at) => !fixed.has(INTENT_COLUMNS[at] ?? ''));
const STATUS = INTENT_COLUMNS.indexOf('status');
const changingNames = changing.map((at) => INTENT_COLUMNS[at]);

const UPSERT = `
  INSERT INTO intents (${INTENT_COLUMNS.join(', ')}, seq)
  VALUES (${names.map(() => '?').join(', ')},
    (SELECT coalesce(max(seq), 0) + 1 FROM intents WHERE run_id = ?))
  ON CONFLICT (id) DO UPDATE SET ${changingNames.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const rowAsJson = (fields: readonly string[]): string =>
  `json_object(${fields
    .map((field) => {
      const column = INTENT_COLUMNS[names.indexOf(field as keyof IntentRecord)];
      return documents.has(field) ? `'${field}', json(${column})` : `'${field}', ${column}`;
    })
    .join(', ')})`;

const ROW_AS_JSON = rowAsJson(names);
const WITHOUT_OUTCOME = rowAsJson(names.filter((name) => name !== 'outcome'));

import type { Db } from '../db/open-database.ts';
import { type Audit, outcomeHash } from './audit.ts';

export type IntentStatus =
  | 'proposed'
  | 'waiting'
  | 'denied'
  | 'started'
  | 'done'
  | 'failed'
  | 'unknown';

export type Repeatability = 'pure' | 'idempotent' | 'unsafe';

/** One request of a capsule (or of the coordinator) and what became of it. */
export interface IntentRecord {
  readonly id: string;
  readonly runId: string;
  /** Null for the coordinator's own calls. */
  readonly attemptId: string | null;
  readonly subtaskId: string;
  readonly capsuleId: string;
  /** The capsule's own id for it; null where it gave none. */
  readonly wireId: string | null;
  readonly kind: 'tool' | 'chat' | 'http';
  /** `file_io.read`, `terminal.write`, `chat`. */
  readonly name: string;
  readonly target: string;
  readonly tier: number;
  /** What may happen when it is done twice. */
  readonly repeatability: Repeatability;
  readonly request: unknown;
  readonly requestHash: string;
  /** The capsule's words. */
  readonly reason: string;
  readonly status: IntentStatus;
  /** The step of the order that decided, 1 to 6. */
  readonly step: number | null;
  readonly rule: string | null;
  /** Why it was denied: a stable code. */
  readonly denial: string | null;
  /** The reply, as the capsule gets it. */
  readonly outcome: unknown;
  /** What the decision looked at, so that it can be made again. */
  readonly facts: unknown;
  /** Files that it changes: path, content before and after by SHA-256, and the difference where that is text. */
  readonly effects: unknown;
  /** Money and tokens that it may still use while it is under way. */
  readonly reservedMicroUsd: number;
  readonly reservedTokens: number;
  readonly costMicroUsd: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly proposedAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export type IntentStanding = Pick<IntentRecord, 'name' | 'target' | 'tier' | 'status' | 'denial'>;

export interface Journal {
  /** Saves with the next commit of the process, and within 10 ms at the latest: for what has no effect. */
  saveSoon(intent: IntentRecord, alsoWrite?: () => void): void;
  /** One transaction, synced to the disk when it returns: all that waits, this intent, then `alsoWrite`. */
  save(intent: IntentRecord, alsoWrite?: () => void): void;
  /** The same without an intent. */
  commit(write: () => void): void;
  /**
   * One transaction that outlives the process at once, and a loss of power from the next synced commit on: for what
   * decides nothing by itself. Nothing that was committed later can be there without it.
   */
  note(write: () => void): void;
  intentsOf(runId: string): readonly IntentRecord[];
  /** The same in brief: how each intent fared. */
  standingsOf(runId: string): readonly IntentStanding[];
  /** Writes what waits. */
  flush(): void;
}

const TICK_MS = 10;

/** The ordered record of intents and their outcomes. */
export function createJournal(db: Db, audit: Audit): Journal {
  const upsert = db.prepare(UPSERT);
  const select = db.prepare<[string], { row: string }>(
    `SELECT ${ROW_AS_JSON} AS row FROM intents WHERE run_id = ? ORDER BY seq`,
  );
  const standings = db.prepare<[string], IntentStanding>(
    'SELECT name, target, tier, status, denial FROM intents WHERE run_id = ? ORDER BY seq',
  );
  const waiting = new Map<string, IntentRecord>();
  let alsoWaiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;

  const write = (intent: IntentRecord) => {
    const outcome = textOf(intent.outcome);
    upsert.run({
      ...intent,
      request: textOf(intent.request),
      outcome,
      facts: textOf(intent.facts),
      effects: textOf(intent.effects),
    });
    audit.append(auditEntryOf(intent, outcome));
  };
  const writeWaiting = () => {
    for (const intent of waiting.values()) write(intent);
    for (const alsoWrite of alsoWaiting) alsoWrite();
  };
  const transact = db.transaction((alsoWrite: () => void) => {
    writeWaiting();
    alsoWrite();
  });
  const commit = (alsoWrite: () => void) => {
    transact.immediate(alsoWrite);
    waiting.clear();
    alsoWaiting = [];
    clearTimeout(timer);
    timer = undefined;
  };
  /** In WAL mode a synced commit syncs every commit before it (sqlite.org/wal.html), so only the end may be lost. */
  const note = (alsoWrite: () => void) => {
    db.exec('PRAGMA synchronous = NORMAL');
    try {
      commit(alsoWrite);
    } finally {
      db.exec('PRAGMA synchronous = FULL');
    }
  };
  const flush = () => {
    if (waiting.size > 0) note(() => {});
  };

  return {
    saveSoon(intent, alsoWrite) {
      waiting.set(intent.id, intent);
      if (alsoWrite) alsoWaiting.push(alsoWrite);
      timer ??= setTimeout(flush, TICK_MS);
    },
    save(intent, alsoWrite) {
      waiting.delete(intent.id);
      commit(() => {
        write(intent);
        alsoWrite?.();
      });
    },
    commit,
    note,
    intentsOf: (runId) => {
      flush();
      return select.all(runId).map(({ row }) => parseIntent(row));
    },
    standingsOf(runId) {
      flush();
      return standings.all(runId);
    },
    flush,
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

const textOf = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value);

function auditEntryOf(intent: IntentRecord, outcome: string | null) {
  const { id: ref, runId, capsuleId, status, name, target, tier, rule, requestHash } = intent;
  const detail = { name, target, tier, rule, request: requestHash, outcome: outcomeHash(outcome) };
  return { actor: `capsule:${capsuleId}`, action: `intent.${status}`, runId, ref, detail };
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

const names = Object.keys(COLUMNS);
const columns = Object.values(COLUMNS);
const CHANGING = [
  'status',
  'tier',
  'request',
  'request_hash',
  'step',
  'rule',
  'denial',
  'outcome',
  'facts',
  'effects',
  'reserved_micro_usd',
  'reserved_tokens',
  'cost_micro_usd',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'started_at',
  'ended_at',
];

const UPSERT = `
  INSERT INTO intents (${columns.join(', ')}, seq)
  VALUES (${names.map((name) => `@${name}`).join(', ')},
    (SELECT coalesce(max(seq), 0) + 1 FROM intents WHERE run_id = @runId))
  ON CONFLICT (id) DO UPDATE SET ${CHANGING.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const ROW_AS_JSON = `json_object(${Object.entries(COLUMNS)
  .map(([name, column]) =>
    documents.has(name) ? `'${name}', json(${column})` : `'${name}', ${column}`,
  )
  .join(', ')})`;

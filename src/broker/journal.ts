import type { Db } from '../db/open-database.ts';

export type IntentStatus =
  | 'proposed'
  | 'waiting'
  | 'denied'
  | 'started'
  | 'done'
  | 'failed'
  | 'unknown';

/** One request of a capsule (or of the coordinator) and what became of it. */
export interface IntentRecord {
  readonly id: string;
  readonly runId: string;
  /** Null for the coordinator's own calls. */
  readonly attemptId: string | null;
  readonly subtaskId: string;
  readonly capsuleId: string;
  readonly kind: 'tool' | 'chat' | 'http';
  /** `file_io.read`, `terminal.write`, `chat`. */
  readonly name: string;
  readonly target: string;
  readonly tier: number;
  readonly request: unknown;
  readonly requestHash: string;
  /** The capsule's words. */
  readonly reason: string;
  readonly status: IntentStatus;
  readonly rule: string | null;
  /** Why it was denied: a stable code. */
  readonly denial: string | null;
  /** The reply, as the capsule gets it. */
  readonly outcome: unknown;
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
export function createJournal(db: Db): Journal {
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

  const write = (intent: IntentRecord) =>
    void upsert.run({
      ...intent,
      request: JSON.stringify(intent.request),
      outcome: intent.outcome === undefined ? null : JSON.stringify(intent.outcome),
    });
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
      return select.all(runId).map(({ row }) => JSON.parse(row) as IntentRecord);
    },
    standingsOf(runId) {
      flush();
      return standings.all(runId);
    },
    flush,
  };
}

const COLUMNS = {
  id: 'id',
  runId: 'run_id',
  attemptId: 'attempt_id',
  subtaskId: 'subtask_id',
  capsuleId: 'capsule_id',
  kind: 'kind',
  name: 'name',
  target: 'target',
  tier: 'tier',
  request: 'request',
  requestHash: 'request_hash',
  reason: 'reason',
  status: 'status',
  rule: 'rule',
  denial: 'denial',
  outcome: 'outcome',
  costMicroUsd: 'cost_micro_usd',
  inputTokens: 'input_tokens',
  cachedInputTokens: 'cached_input_tokens',
  outputTokens: 'output_tokens',
  proposedAt: 'proposed_at',
  startedAt: 'started_at',
  endedAt: 'ended_at',
} as const satisfies Record<keyof IntentRecord, string>;

const names = Object.keys(COLUMNS);
const columns = Object.values(COLUMNS);
const CHANGING = [
  'status',
  'rule',
  'denial',
  'outcome',
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
    name === 'request' || name === 'outcome'
      ? `'${name}', json(${column})`
      : `'${name}', ${column}`,
  )
  .join(', ')})`;

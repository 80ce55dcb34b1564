import {
  COUNTED_TOKENS,
  ESTIMATED_MICRO_USD,
  ESTIMATED_TOKENS,
} from '../../../broker/intent/record.ts';
import type { Failure, Reason, RunStatus } from '../../../contract/status.ts';
import type { Db } from '../../../db/open-database.ts';
import { selected, tableOf, withJson } from '../../../db/sql/table.ts';
import type { Redactor } from '../../../policy/secrets/redact.ts';
import type { RunRecord, RunRequestRecord } from './run-record.ts';

/** Tokens are those that vendors reported. */
export interface RunCost {
  readonly costMicroUsd: number;
  /** The part of the cost that no vendor reported: the maximum cost of calls that timed out or were interrupted. */
  readonly estimatedMicroUsd: number;
  /** The part of the tokens that was counted from the texts of answers. */
  readonly estimatedTokens: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

export type RunEnd = Pick<RunRecord, 'status' | 'reason' | 'answer' | 'error' | 'endedAt'>;

export interface ListRuns {
  readonly limit: number;
  readonly status?: RunStatus | undefined;
  /** Absolute, symbolic links resolved. */
  readonly workspace?: string | undefined;
  /** Only runs that started at this time or later: ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** Whether to leave out runs that check models or try a capsule. Default: false. */
  readonly onlyTasks?: boolean | undefined;
}

/** The values with which a run continues. */
export type RunClaim = Pick<
  RunRecord,
  'status' | 'options' | 'policy' | 'policyVersion' | 'request'
> & { readonly leaseUntil: string };

const runs = tableOf(
  'runs',
  `id session_id task workspace provider isolation options status reason answer error owner lease_until seed policy
  policy_version wish:request forked_from forked_at created_at ended_at stopped_by`,
);
const IS_OWN = "id = @id AND owner = @owner AND status = 'running'";
/** Of a run of a task, not of one that checks models or tries a capsule. */
export const IS_TASK = "wish ->> 'isCheck' IS NULL";
const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC';

export type RunStore = ReturnType<typeof createRunStore>;

/** The rows of runs, without secrets. */
export function createRunStore(db: Db, { redact, json }: Redactor) {
  const statements = prepareAll(db);
  const durations = createRunDurations(db);

  return {
    create(run: RunRecord): void {
      durations.begin(run.id);
      statements.insert.run({
        ...run,
        task: redact(run.task),
        options: json(run.options),
        policy: JSON.stringify(run.policy),
        request: json(run.request),
        answer: redact(run.answer),
        error: run.error && json(run.error),
      });
    },
    /** Ends a run; false if this owner no longer has it. */
    end(id: string, owner: string, ending: RunEnd): boolean {
      const passedMs = durations.take(id);
      const error = ending.error && json(ending.error);
      return statements.end.run({ id, owner, passedMs, ...redact(ending), error }).changes === 1;
    },
    /** Adds to the request of a run, in its row and in the record. */
    addToRequest(run: RunRecord, added: Partial<RunRequestRecord>): void {
      run.request = redact({ ...run.request, ...added });
      statements.saveRequest.run(JSON.stringify(run.request), run.id);
    },
    /** Makes a run `running` and this process its owner; false if it no longer has the expected status. */
    claim(id: string, owner: string, { options, policy, request, ...claim }: RunClaim): boolean {
      durations.begin(id);
      const claimed = statements.claim.run({
        ...{ id, owner, status: claim.status, leaseUntil: claim.leaseUntil },
        policyVersion: claim.policyVersion,
        options: json(options),
        policy: JSON.stringify(policy),
        request: json(request),
      });
      return claimed.changes === 1;
    },
    /** Renews the owner's lease; false if the owner no longer has the run. */
    renew: (id: string, owner: string, leaseUntil: string): boolean =>
      statements.renew.run({ id, owner, leaseUntil, passedMs: durations.take(id) }).changes === 1,
    /** Parks a run; false if this owner no longer has it. @param error The failure that prevented it from continuing. Default: none. */
    park: (id: string, owner: string, reason: Reason, error: Failure | null = null): boolean =>
      statements.park.run({
        ...{ id, owner, reason, error: error && json(error) },
        passedMs: durations.take(id),
      }).changes === 1,
    /** Records that a person stopped the run. A plain statement. */
    markStopped: (id: string, by: string) => void statements.markStopped.run(redact(by), id),
    find(id: string): RunRecord | undefined {
      const row = statements.find.get(id);
      return row && toRun(row);
    },
    /** Reads the columns that may have changed since the run was read; returns the run unchanged if its row is gone. */
    refresh(run: RunRecord): RunRecord {
      const row = statements.changing.get(run.id);
      return row ? { ...run, ...toRun(row) } : run;
    },
    /** Runs whose id ends with these characters, newest first. */
    endingWith: (suffix: string): readonly RunRecord[] =>
      statements.endingWith.all({ suffix }).map(toRun),
    /** The newest run whose id, or its last 8 characters, starts with this. */
    startingWith(start: string): RunRecord | undefined {
      const [row] = statements.startingWith.all({ start: start.toLowerCase() });
      return row && toRun(row);
    },
    /** Newest first. */
    list: ({ limit, status, workspace, since, onlyTasks }: ListRuns): readonly RunRecord[] =>
      statements.list
        .all({
          ...{ limit, status: status ?? null, workspace: workspace ?? null, since: since ?? null },
          onlyTasks: onlyTasks ? 1 : 0,
        })
        .map(toRun),
    /** Runs of any process that are pending or running. */
    unended: (): readonly RunRecord[] => statements.unended.all().map(toRun),
    costOf: (id: string) => statements.cost.get(id) as RunCost,
    /** In milliseconds, without the time in which the run was parked. */
    durationOf: durations.of,
    /** Bytes that the run's requests and outcomes take. */
    bytesOf: (id: string): number => statements.bytes.get(id) ?? 0,
    delete: (id: string) => void statements.remove.run(id),
  };
}

const prepareAll = (db: Db) => ({
  insert: db.prepare(runs.insert),
  end: db.prepare(`
    UPDATE runs SET status = @status, reason = @reason, answer = @answer, error = @error, ended_at = @endedAt,
      lease_until = NULL, duration_ms = duration_ms + @passedMs
    WHERE id = @id AND owner = @owner`),
  saveRequest: db.prepare('UPDATE runs SET wish = ? WHERE id = ?'),
  claim: db.prepare(`
    UPDATE runs SET status = 'running', reason = NULL, answer = NULL, error = NULL, ended_at = NULL, stopped_by = NULL,
      owner = @owner, lease_until = @leaseUntil, options = @options, policy = @policy,
      policy_version = @policyVersion, wish = @request
    WHERE id = @id AND status = @status`),
  renew: db.prepare(
    `UPDATE runs SET lease_until = @leaseUntil, duration_ms = duration_ms + @passedMs WHERE ${IS_OWN}`,
  ),
  park: db.prepare(`
    UPDATE runs SET status = 'parked', reason = @reason, error = @error, lease_until = NULL,
      duration_ms = duration_ms + @passedMs
    WHERE ${IS_OWN}`),
  markStopped: db.prepare('UPDATE runs SET stopped_by = ? WHERE id = ?'),
  find: db.prepare<[string], object>(`${runs.select} WHERE id = ?`),
  changing: db.prepare<[string], object>(
    `SELECT ${selected('status reason answer error owner lease_until wish:request ended_at stopped_by')}
    FROM runs WHERE id = ?`,
  ),
  endingWith: db.prepare<[{ suffix: string }], object>(`
    ${runs.select} WHERE id IN (SELECT id FROM runs WHERE substr(id, -length(@suffix)) = @suffix)
    ${NEWEST_FIRST} LIMIT 20`),
  startingWith: db.prepare<[{ start: string }], object>(`
    ${runs.select} WHERE length(@start) >= 4 AND (substr(id, 1, length(@start)) = @start
      OR substr(id, -8, length(@start)) = @start) ${NEWEST_FIRST} LIMIT 1`),
  list: db.prepare<[Record<keyof ListRuns, string | number | null>], object>(`
    ${runs.select} WHERE (@status IS NULL OR status = @status) AND (@workspace IS NULL OR workspace = @workspace)
      AND (@since IS NULL OR created_at >= @since) AND (NOT @onlyTasks OR ${IS_TASK})
    ${NEWEST_FIRST} LIMIT @limit`),
  unended: db.prepare<[], object>(`${runs.select} WHERE status IN ('pending', 'running')`),
  cost: db.prepare<[string], RunCost>(`
    SELECT coalesce(sum(cost_micro_usd), 0) AS costMicroUsd, coalesce(sum(input_tokens), 0) AS inputTokens,
      coalesce(sum(cached_input_tokens), 0) AS cachedInputTokens,
      coalesce(sum(output_tokens), 0) - ${ESTIMATED_TOKENS} AS outputTokens,
      ${ESTIMATED_MICRO_USD} AS estimatedMicroUsd, ${COUNTED_TOKENS} AS estimatedTokens
    FROM intents WHERE run_id = ?`),
  bytes: db
    .prepare<[string], number>(
      'SELECT coalesce(sum(length(request) + coalesce(length(outcome), 0)), 0) FROM intents WHERE run_id = ?',
    )
    .pluck(),
  remove: db.prepare('DELETE FROM runs WHERE id = ?'),
});

const NO_REQUEST: RunRequestRecord = { namedCapsule: null, namedHosts: [] };

/** @param row All columns, or those that change. */
function toRun(row: object): RunRecord {
  const run = withJson<RunRecord>(row, ['options', 'policy', 'request', 'error']);
  return { ...run, request: { ...NO_REQUEST, ...run.request } };
}

/** How long processes have executed each run, by a monotonic clock. */
function createRunDurations(db: Db) {
  const stored = db.prepare<[string], number>('SELECT duration_ms FROM runs WHERE id = ?').pluck();
  /** By run: milliseconds of `performance.now()`. */
  const sinceMs = new Map<string, number>();
  const passedMs = (id: string) => {
    const nowMs = performance.now();
    return Math.round(nowMs - (sinceMs.get(id) ?? nowMs));
  };
  return {
    /** To be called when this process starts to execute the run. */
    begin: (id: string) => void sinceMs.set(id, performance.now()),
    /** Milliseconds since `begin` or the last `take`, to be added to the row. */
    take(id: string) {
      const ms = passedMs(id);
      if (sinceMs.has(id)) sinceMs.set(id, performance.now());
      return ms;
    },
    /** In milliseconds, without the time in which the run was parked. If another process executes it: as of its last heartbeat. */
    of: ({ id, status }: { readonly id: string; readonly status: RunStatus }) =>
      (stored.get(id) ?? 0) + (status === 'running' ? passedMs(id) : 0),
  };
}

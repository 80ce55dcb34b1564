import { newTally, type RunScope } from '../broker/scope.ts';
import { uuidv7 } from '../db/uuidv7.ts';
import { failureOf, reasonOf } from './failure.ts';
import { ownIdentity } from './process-identity.ts';
import type { RunParts } from './run-context.ts';
import type { RunGraph } from './run-graph.ts';
import type { RunRecord } from './run-store.ts';

export interface RunRequest {
  readonly task: string;
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  readonly sessionId?: string;
  readonly provider: string;
  /** The settings that the run begins with, secrets left out. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The person named a capsule: the whole task goes to it. */
  readonly namedCapsule?: string | undefined;
  /** Hosts that settings or the task name, in lower case. */
  readonly namedHosts: ReadonlySet<string>;
  /**
   * Aborting cancels the run: with reason `deadline` it failed for want of time; with `now` its capsules get no grace.
   */
  readonly signal: AbortSignal;
}

/** What a run needs before and after everything else: its row, its events, its graph's state. */
export interface RunGround extends Pick<RunParts, 'runs' | 'journal' | 'audit' | 'events' | 'now'> {
  readonly isolation: string;
  readonly graph: RunGraph;
  /** Whether anybody can answer a question while the run waits. */
  isSomebodyThere(): boolean;
}

/**
 * Carries out one task from its row to its row: when this returns, the run has ended and its row says how.
 *
 * @param open Opens what may fail to open (a provider, an embedder): the row is there before it is tried.
 */
export async function startRun(
  ground: RunGround,
  request: RunRequest,
  open: () => Promise<RunParts>,
): Promise<RunRecord> {
  const record = begin(ground, request);
  const scope = createScope(record, request, ground);
  try {
    const parts = await open();
    const { namedCapsule, signal } = request;
    await ground.graph.follow({ parts, record, scope, namedCapsule, signal });
  } catch (error) {
    const isParked = scope.parking.signal.aborted && !request.signal.aborted;
    if (isParked) park(ground, record.id);
    else endBroken(ground, record.id, error, request.signal);
  }
  const ended = ground.runs.find(record.id) ?? record;
  tellEnd(ground, ended);
  return ended;
}

/** Leaves the run to be resumed: what it waits for is a question in its rows. */
function park({ runs, journal, audit }: RunGround, id: string): void {
  journal.commit(() => {
    runs.park(id, 'interrupted');
    audit.append({ actor: 'coordinator', action: 'run.parked', runId: id, ref: id, detail: {} });
  });
}

function begin({ runs, journal, events, now, isolation }: RunGround, request: RunRequest) {
  const record: RunRecord = {
    id: uuidv7(),
    sessionId: request.sessionId ?? uuidv7(),
    task: request.task,
    workspace: request.workspace,
    provider: request.provider,
    isolation,
    options: request.options,
    status: 'running',
    reason: null,
    answer: null,
    error: null,
    owner: ownIdentity(),
    createdAt: now().toISOString(),
    endedAt: null,
  };
  journal.note(() => runs.create(record));
  const { id: run_id, sessionId: session_id, task, workspace, provider } = record;
  const about = { run_id, session_id, task, workspace, provider, isolation };
  events.emit({ type: 'run.started', ...about });
  return record;
}

function tellEnd({ runs, events }: RunGround, run: RunRecord): void {
  events.emit({
    type: 'run.ended',
    run_id: run.id,
    status: run.status as 'completed' | 'failed' | 'cancelled' | 'parked',
    reason: run.reason,
    duration_ms: Date.parse(run.endedAt ?? run.createdAt) - Date.parse(run.createdAt),
    cost_usd: runs.costOf(run.id).costMicroUsd / 1e6,
  });
}

function createScope(
  record: RunRecord,
  request: RunRequest,
  { isSomebodyThere }: RunGround,
): RunScope {
  const parking = new AbortController();
  const scope: RunScope = {
    id: record.id,
    workspace: record.workspace,
    policyVersion: '',
    signal: request.signal,
    parking,
    namedHosts: request.namedHosts,
    hasReadPrivate: false,
    reservedMicroUsd: 0,
    spendConsents: new Map(),
    coordinator: {
      get run() {
        return scope;
      },
      attemptId: null,
      subtaskId: '',
      capsuleId: 'coordinator',
      capsuleHash: '',
      grants: new Map(),
      services: [],
      signal: AbortSignal.any([request.signal, parking.signal]),
      pause(wait) {
        if (!isSomebodyThere()) parking.abort();
        return wait();
      },
      end: () => {},
      tally: newTally(),
    },
  };
  return scope;
}

/** Ends the row of a run that broke off outside its subtasks: no plan, no provider, a defect of ours. */
function endBroken(
  { runs, journal, now }: RunGround,
  id: string,
  error: unknown,
  signal: AbortSignal,
): void {
  const isLate = signal.reason === 'deadline';
  const reason = signal.aborted ? (isLate ? 'deadline' : 'cancelled') : reasonOf(error);
  const status = signal.aborted && !isLate ? 'cancelled' : 'failed';
  const endedAt = now().toISOString();
  journal.commit(() =>
    runs.end(id, { status, reason, answer: null, error: failureOf(error), endedAt }),
  );
}

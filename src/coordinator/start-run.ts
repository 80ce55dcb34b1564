import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { newTally, type RunScope } from '../broker/scope.ts';
import { uuidv7 } from '../db/uuidv7.ts';
import { failureOf, reasonOf } from './failure.ts';
import { buildGraph } from './graph.ts';
import { processIdentity } from './process-identity.ts';
import type { RunContext, RunParts } from './run-context.ts';
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

/**
 * Carries out one task from its row to its row: when this returns, the run has ended and its row says how.
 *
 * @param checkpointer Keeps the graph's state.
 */
export async function startRun(
  parts: RunParts,
  request: RunRequest,
  checkpointer: BaseCheckpointSaver,
): Promise<RunRecord> {
  const record = createRecord(parts, request);
  parts.journal.commit(() => parts.runs.create(record));
  const { id: run_id } = record;
  parts.events.emit({
    type: 'run.started',
    run_id,
    session_id: record.sessionId,
    task: record.task,
    workspace: record.workspace,
    provider: record.provider,
    isolation: record.isolation,
  });
  const run: RunContext = {
    parts,
    record,
    scope: createScope(record, request),
    namedCapsule: request.namedCapsule,
    signal: request.signal,
  };
  try {
    await buildGraph(run, checkpointer).invoke(
      { runId: run_id, phase: null, verdict: null },
      { configurable: { thread_id: run_id }, recursionLimit: 25, durability: 'sync' },
    );
  } catch (error) {
    endBroken(run, error);
  }
  await checkpointer.deleteThread(run_id);
  const ended = parts.runs.find(run_id) ?? record;
  parts.events.emit({
    type: 'run.ended',
    run_id,
    status: ended.status as 'completed' | 'failed' | 'cancelled' | 'parked',
    reason: ended.reason,
    duration_ms: Date.parse(ended.endedAt ?? record.createdAt) - Date.parse(record.createdAt),
    cost_usd: parts.runs.costOf(run_id).costMicroUsd / 1e6,
  });
  return ended;
}

function createRecord(parts: RunParts, request: RunRequest): RunRecord {
  return {
    id: uuidv7(),
    sessionId: request.sessionId ?? uuidv7(),
    task: request.task,
    workspace: request.workspace,
    provider: request.provider,
    isolation: parts.isolation,
    options: request.options,
    status: 'running',
    reason: null,
    answer: null,
    error: null,
    owner: processIdentity(),
    createdAt: parts.now().toISOString(),
    endedAt: null,
  };
}

function createScope(record: RunRecord, request: RunRequest): RunScope {
  const scope: RunScope = {
    id: record.id,
    workspace: record.workspace,
    signal: request.signal,
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
      grants: new Map(),
      services: [],
      signal: request.signal,
      pause: (wait) => wait(),
      end: () => {},
      tally: newTally(),
    },
  };
  return scope;
}

/** Ends the row of a run that broke off outside its subtasks: no plan, no provider, a defect of ours. */
function endBroken({ parts, record, signal }: RunContext, error: unknown): void {
  const isLate = signal.reason === 'deadline';
  const reason = signal.aborted ? (isLate ? 'deadline' : 'cancelled') : reasonOf(error);
  const status = signal.aborted && !isLate ? 'cancelled' : 'failed';
  const endedAt = parts.now().toISOString();
  parts.journal.commit(() =>
    parts.runs.end(record.id, { status, reason, answer: null, error: failureOf(error), endedAt }),
  );
}

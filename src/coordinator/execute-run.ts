import type { BaseCheckpointSaver } from '@langchain/langgraph/web';
import { AppError } from '../contract/errors.ts';
import type { RunContext, RunParts } from './context/run-context.ts';
import { callRunHooks } from './context/run-hooks.ts';
import { createRunScope, type ScopeOptions } from './context/run-scope.ts';
import { reportProvider, runEnded } from './events/run-events.ts';
import { buildGraph, type RunNode } from './graph.ts';
import { endRun } from './life/end-run.ts';
import { leaveRun, parkRun } from './life/leave-run.ts';
import { HEARTBEAT_MS, leaseFrom, ownIdentity } from './life/process-identity.ts';
import { createRunDeadline } from './life/run-deadline.ts';
import type { RunState } from './state.ts';
import { watchCancel } from './stop/cancel-requests.ts';
import { BufferedCheckpoints } from './store/buffered-checkpoints.ts';
import type { RunStores } from './store/create-stores.ts';
import type { RunRecord } from './store/runs/run-record.ts';

export interface ExecuteOptions extends Omit<ScopeOptions, 'earlier' | 'isRetry' | 'canAnswer'> {
  /** Set if the run is resumed: its state before. It is restored if `open` fails. */
  readonly resumedFrom?: Pick<RunRecord, 'status' | 'reason' | 'answer' | 'error'> | undefined;
  /** Time limit of the run in milliseconds, without the time in which it only waits for a person. Default: none. */
  readonly timeoutMs?: number | undefined;
  /** Opens the provider, the embedder and the rest, which may fail. Called once the row exists. */
  open(): Promise<RunParts>;
  /** The body of the run: `createRunGraph`. */
  readonly body: RunBody;
}

export type RunBody = (run: RunContext) => Promise<void>;

/**
 * Executes a run that this process owns until it ends or parks. Returns its row.
 *
 * @throws AppError `RUN_TAKEN_OVER` if another process owns the run now; `DATABASE_FAILED`; for a resumed run, what
 *   `open` throws: it is parked or failed as before.
 */
export async function executeRun(
  context: RunStores,
  record: RunRecord,
  options: ExecuteOptions,
): Promise<RunRecord> {
  const { stop, resumedFrom } = options;
  const endWatch = watchRun(context, record.id, options);
  let opened: RunParts | undefined;
  try {
    opened = await options.open();
    await options.body(runContext(context, record, { ...options, opened }));
  } catch (error) {
    if (!opened && resumedFrom) {
      try {
        leaveUnopened(context, record, resumedFrom);
      } catch {
        leaveRun(context, record, { error, stop });
      }
      throw error;
    }
    leaveRun(context, record, { error, stop });
  } finally {
    endWatch();
  }
  return finish(context, record, opened);
}

/**
 * The body of a run: the graph, continued from its checkpoint if the run was parked. Compiled once for all runs.
 *
 * @param openCheckpoints Opens the store for the graph state of parked runs. Called when it is first needed.
 */
export function createRunGraph(openCheckpoints: () => BaseCheckpointSaver): RunBody {
  const active = new Map<string, RunContext>();
  const checkpoints = new BufferedCheckpoints(openCheckpoints);
  const bind = (node: RunNode) => (state: RunState) => {
    const run = active.get(state.runId);
    if (!run) throw new Error(`run ${state.runId} is not active in this process`);
    return node(run, state);
  };
  const graph = buildGraph(bind, checkpoints);
  return async (run) => {
    const { id } = run.record;
    active.set(id, run);
    try {
      if (!run.isResumed || run.isRetry) checkpoints.begin(id);
      const config = { configurable: { thread_id: id }, recursionLimit: 25 };
      const isUnderWay = run.isResumed && (await graph.getState(config)).next.length > 0;
      if (isUnderWay) {
        reportProvider(run);
        await run.parts.registry.sync();
      }
      const input = isUnderWay ? null : { runId: id, phase: null, isOver: false, verdict: null };
      // `custom` streams only data that nodes emit explicitly, which is none.
      await graph.invoke(input, { ...config, durability: 'exit', streamMode: 'custom' });
      checkpoints.drop(id);
    } finally {
      await checkpoints.keep(id);
      active.delete(id);
    }
  };
}

function runContext(
  { journal }: RunStores,
  record: RunRecord,
  options: ExecuteOptions & { readonly opened: RunParts },
): RunContext {
  const { policy, currentRules, stop, opened, resumedFrom } = options;
  const canAnswer = () => opened.canAnswer(record);
  const isResumed = resumedFrom !== undefined;
  const earlier = isResumed ? journal.intentsOf(record.id) : [];
  const isRetry = resumedFrom?.status === 'failed';
  return {
    parts: opened,
    record,
    scope: createRunScope(record, { policy, currentRules, earlier, isRetry, stop, canAnswer }),
    signal: stop.signal,
    killSignal: stop.killSignal,
    isResumed,
    isRetry,
  };
}

/** Renews the lease of the run, enforces its deadline and cancels it when asked to, until the returned function is called. */
function watchRun(context: RunStores, id: string, { stop, timeoutMs }: ExecuteOptions) {
  const heartbeat = setInterval(() => {
    // Another process considered this one dead and owns the run now.
    if (!renewLease(context, id)) stop.parking.abort('interrupted');
  }, HEARTBEAT_MS);
  heartbeat.unref();
  const endCancelWatch = watchCancel(id, context, (action) =>
    stop.stop(action === 'cancel' ? 'cancelled' : 'interrupted'),
  );
  const deadline = createRunDeadline(timeoutMs, () => stop.stop('deadline'));
  const endListening = context.events.listen((event) => {
    if (event.run_id === id) deadline.listener(event);
  });
  return () => {
    clearInterval(heartbeat);
    endCancelWatch();
    endListening();
    deadline.stop();
  };
}

/** Whether this process still owns the run. If the lease can't be written now, the next heartbeat renews it. */
function renewLease({ journal, runs, now }: RunStores, id: string): boolean {
  let isOurs = true;
  try {
    journal.note(() => {
      isOurs = runs.renew(id, ownIdentity(), leaseFrom(now()));
    });
  } catch {}
  return isOurs;
}

/** Leaves a resumed run parked or failed as before: its provider, embedder or isolation is now unavailable. */
function leaveUnopened(
  context: RunStores,
  record: RunRecord,
  { status, reason, answer, error }: NonNullable<ExecuteOptions['resumedFrom']>,
): void {
  if (status === 'failed') endRun(context, record.id, { status, reason, answer, error });
  else parkRun(context, record.id, reason ?? 'interrupted');
  context.events.emit(runEnded(context.runs, context.runs.refresh(record)));
}

async function finish(
  { runs, events }: RunStores,
  record: RunRecord,
  opened: RunParts | undefined,
): Promise<RunRecord> {
  const ended = runs.refresh(record);
  if (ended.owner !== ownIdentity()) throw new AppError('RUN_TAKEN_OVER', { id: record.id });
  if (opened) {
    // Their answers are ignored. They are also called for a cancelled run.
    const { status, reason, answer } = ended;
    const { signal } = new AbortController();
    const hooked = { parts: opened, record: ended, signal };
    await callRunHooks(hooked, 'post_run', { status, reason, answer });
  }
  events.emit(runEnded(runs, ended));
  return ended;
}

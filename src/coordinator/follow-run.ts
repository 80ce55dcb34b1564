import { newTally, type RunScope } from '../broker/intent/scope.ts';
import { createRecordPool } from '../broker/recall/record-pool.ts';
import type { Policy } from '../broker/rules/policy-snapshot.ts';
import { AppError } from '../contract/errors.ts';
import { isStorageFailure, type StorageFailure } from '../db/storage-failure.ts';
import { type WatchCancelParts, watchCancel } from './cancel-requests.ts';
import { endRun } from './end-run.ts';
import { failureOf, reasonOf } from './failure.ts';
import { HEARTBEAT_MS, leaseFrom, ownIdentity } from './process-identity.ts';
import { type RecoveryStores, recoverRun } from './recover-runs.ts';
import type { RunContext, RunParts } from './run-context.ts';
import { runEnded } from './run-events.ts';
import type { RunGraph } from './run-graph.ts';
import { callRunHooks } from './run-hooks.ts';
import type { RunRecord } from './run-store.ts';

/** What a run needs before and after everything else: its row, its events, its graph's state. */
export interface RunGround
  extends Pick<
      RunParts,
      'runs' | 'journal' | 'approvals' | 'audit' | 'events' | 'redactor' | 'now'
    >,
    RecoveryStores,
    WatchCancelParts {
  readonly isolation: string;
  readonly graph: RunGraph;
  /** Whether anybody can answer a question while the run waits. */
  isSomebodyThere(): boolean;
}

export interface Following {
  /** What the run began with. */
  readonly policy: Policy;
  readonly isResumed: boolean;
  /**
   * Aborting cancels the run: with reason `deadline` it failed for want of time; with `now` its capsules get no grace.
   */
  readonly signal: AbortSignal;
  /** Opens what may fail to open (a provider, an embedder): the row is there before it is tried. */
  open(): Promise<RunParts>;
}

/**
 * Carries a run whose row is ours to its end, or to where it parks: when this returns, its row says which.
 *
 * @throws AppError `RUN_TAKEN_OVER` where another process took this one for dead and has the run now.
 */
export async function followRun(
  ground: RunGround,
  record: RunRecord,
  { policy, isResumed, signal: ending, open }: Following,
): Promise<RunRecord> {
  const cancelling = new AbortController();
  const signal = AbortSignal.any([ending, cancelling.signal]);
  const scope = createScope(record, signal, { ground, policy, isResumed });
  let opened: RunParts | undefined;
  const heartbeat = setInterval(() => {
    // Another process took it for dead: nothing more is done here.
    if (!renewLease(ground, record.id)) scope.parking.abort();
  }, HEARTBEAT_MS);
  heartbeat.unref();
  const stopWatching = watchCancel(record.id, ground, () => cancelling.abort('cancelled'));
  try {
    const namedCapsule = record.wish.namedCapsule ?? undefined;
    opened = await (isResumed ? openAgain(ground, record.id, open) : open());
    const run: RunContext = { parts: opened, record, scope, namedCapsule, signal, isResumed };
    await ground.graph.follow(run);
  } catch (error) {
    if (error instanceof NotOpened) {
      ground.events.emit(runEnded(ground.runs, ground.runs.asItStands(record)));
      throw error.cause;
    }
    breakOff(ground, record, { error, signal, isParking: scope.parking.signal.aborted });
  } finally {
    clearInterval(heartbeat);
    stopWatching();
  }
  const ended = ground.runs.asItStands(record);
  if (ended.owner !== ownIdentity()) throw new AppError('RUN_TAKEN_OVER', { id: record.id });
  if (opened) await tellHooks(opened, ended);
  ground.events.emit(runEnded(ground.runs, ended));
  return ended;
}

/** However the run ended, or where it parked: what they answer changes nothing of it, and a cancelled run is told of, too. */
async function tellHooks(parts: RunParts, record: RunRecord): Promise<void> {
  const { status, reason, answer } = record;
  const { signal } = new AbortController();
  await callRunHooks({ parts, record, signal }, 'post_run', { status, reason, answer });
}

/** Whether the run is still ours. A lease that can't be written now is renewed by the next beat. */
function renewLease({ journal, runs, now }: RunGround, id: string): boolean {
  let isOurs = true;
  try {
    journal.note(() => {
      isOurs = runs.renew(id, ownIdentity(), leaseFrom(now()));
    });
  } catch {}
  return isOurs;
}

/** What a resumed run needs and can't have now leaves it parked: nothing of it is lost. */
async function openAgain(
  ground: RunGround,
  id: string,
  open: Following['open'],
): Promise<RunParts> {
  try {
    return await open();
  } catch (error) {
    park(ground, id);
    throw new NotOpened('a resumed run could not be opened', { cause: error });
  }
}

class NotOpened extends Error {}

interface Break {
  readonly error: unknown;
  readonly signal: AbortSignal;
  readonly isParking: boolean;
}

/** Brings the row of a run that did not reach its end to where it can be left. */
function breakOff(ground: RunGround, run: RunRecord, { error, signal, isParking }: Break): void {
  if (isStorageFailure(error)) leaveOff(ground, run, error);
  else if (isParking && !signal.aborted) park(ground, run.id);
  else endBroken(ground, run.id, error, signal);
}

/**
 * Leaves a run that could not write its rows to be resumed. Where not even that can be written, the rows stay as they
 * are, and the next process that opens the database parks the run.
 *
 * @throws AppError `DATABASE_FAILED`.
 */
function leaveOff(ground: RunGround, { id }: RunRecord, { code, message }: StorageFailure): void {
  const failure = new AppError('DATABASE_FAILED', { problem: `${message} (${code})` });
  try {
    recoverRun(ground, { id, owner: ownIdentity() }, 'interrupted');
  } catch (error) {
    throw isStorageFailure(error) ? failure : error;
  }
  ground.events.emit({ type: 'run.noticed', run_id: id, text: failure.message });
}

/** Leaves the run to be resumed: what it waits for is a question in its rows. */
function park({ runs, journal, audit }: RunGround, id: string): void {
  journal.commit(() => {
    if (!runs.park(id, ownIdentity(), 'interrupted')) return;
    audit.append({ actor: 'coordinator', action: 'run.parked', runId: id, ref: id, detail: {} });
  });
}

/** Ends the row of a run that broke off outside its subtasks: no plan, no provider, a defect of ours. */
function endBroken(ground: RunGround, id: string, error: unknown, signal: AbortSignal): void {
  const isLate = signal.reason === 'deadline';
  const reason = signal.aborted ? (isLate ? 'deadline' : 'cancelled') : reasonOf(error);
  const status = signal.aborted && !isLate ? 'cancelled' : 'failed';
  endRun(ground, id, { status, reason, answer: null, error: failureOf(error) });
}

interface ScopeOptions {
  readonly ground: RunGround;
  readonly policy: Policy;
  readonly isResumed: boolean;
}

function createScope(
  record: RunRecord,
  signal: AbortSignal,
  { ground, policy, isResumed }: ScopeOptions,
): RunScope {
  const parking = new AbortController();
  const earlier = isResumed ? ground.journal.intentsOf(record.id) : [];
  const own = earlier.filter(({ attemptId }) => attemptId === null);
  const ending = AbortSignal.any([signal, parking.signal]);
  const scope: RunScope = {
    id: record.id,
    workspace: record.workspace,
    policy,
    seed: record.seed,
    signal,
    parking,
    namedHosts: new Set(record.wish.namedHosts),
    hasReadPrivate: earlier.some(({ kind, startedAt }) => kind !== 'chat' && startedAt !== null),
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
      signal: ending,
      ending,
      ...(own.length > 0 ? { record: createRecordPool(own) } : {}),
      pause(wait) {
        if (!ground.isSomebodyThere()) parking.abort();
        return wait();
      },
      end: () => {},
      tally: newTally(),
    },
  };
  return scope;
}

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { type Policy, policyOf } from '../../broker/rules/policy-snapshot.ts';
import { AppError, messageOf } from '../../contract/errors.ts';
import { createRunGraph, executeRun } from '../../coordinator/execute-run.ts';
import { leaseFrom, ownIdentity } from '../../coordinator/life/process-identity.ts';
import { withStopSignals } from '../../coordinator/stop/run-stop.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../coordinator/store/runs/run-record.ts';
import { createEventBus } from '../../events/bus.ts';
import { makeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import { compareEndings } from '../compare-endings.ts';
import type { RecordedAttempt, Recording } from '../recording/recording.ts';
import { findReplayCapsules, type ReplayCapsule } from './replay-capsules.ts';
import { type ReplayContext, replayParts } from './replay-parts.ts';
import { createReplayProgress, type Divergence } from './replay-progress.ts';

export interface ReplayOptions extends Pick<ReplayContext, 'sdk' | 'runCapsule'> {
  /** The installed capsules, by id. */
  readonly installed: ReadonlyMap<string, Capsule>;
  /** Opens a database in the replay's own temporary folder. */
  readonly makeStores: (dir: string) => Stores;
  /** Called before anything starts. If it throws, nothing starts. */
  readonly onCapsules?: (capsules: readonly ReplayCapsule[]) => void;
  /** Aborting stops the replay immediately: it has no effects to complete. */
  readonly signal: AbortSignal;
}

/** The result of a replay. */
export interface Replay {
  readonly isIdentical: boolean;
  /** The first difference. */
  readonly divergence: Divergence | undefined;
  /** The replayed run. */
  readonly run: RunRecord;
  readonly capsules: readonly ReplayCapsule[];
  /** Number of repeated attempts. */
  readonly started: number;
  /** Number of requests that were answered from the recording. */
  readonly answered: number;
  /** Failed attempts without an `agent_response`, which are not started and end as recorded. */
  readonly notStarted: readonly RecordedAttempt[];
}

/**
 * Repeats a recorded run: the same graph and nodes, real capsule processes, and every answer from the recording. It
 * needs no key and no network, uses no tool, and writes only to a temporary folder that is removed when this returns.
 *
 * @throws AppError `RUN_NOT_REPLAYABLE`, `CANCELLED`.
 */
export async function replayRun(recording: Recording, options: ReplayOptions): Promise<Replay> {
  assertReplayable(recording);
  const dir = makeTemporaryFolder('replay');
  let stores: Stores | undefined;
  try {
    const capsules = findReplayCapsules(recording, options.installed, join(dir, 'agents'));
    options.onCapsules?.(capsules);
    stores = options.makeStores(dir);
    return await replay(recording, { ...options, capsules, stores, dir });
  } finally {
    stores?.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function replay(
  recording: Recording,
  context: ReplayContext & Pick<ReplayOptions, 'signal'>,
): Promise<Replay> {
  const { stores, capsules, signal } = context;
  const diverging = new AbortController();
  const ending = AbortSignal.any([signal, diverging.signal]);
  const progress = createReplayProgress(recording, () => diverging.abort());
  const record = createRow(recording, stores);
  const events = createEventBus(stores.now, { clean: stores.redactor.redact });
  const policy = await recordedPolicy(recording);
  const run = await withStopSignals({ signal: ending, killSignal: ending }, (stop) =>
    executeRun({ ...stores, events }, record, {
      policy,
      resumedFrom: { status: 'parked', reason: 'interrupted', answer: null, error: null },
      stop,
      open: async () => ({ ...replayParts(recording, progress, context), events }),
      body: createRunGraph(() => new MemorySaver()),
    }),
  );
  if (signal.aborted) throw new AppError('CANCELLED', { what: 'The replay' });
  const divergence =
    progress.divergence() ??
    compareEndings(recording, { run, subtasks: stores.subtasks.of(run.id), progress });
  return {
    isIdentical: divergence === undefined,
    divergence,
    run,
    capsules,
    started: progress.started.length,
    answered: progress.started.reduce(
      (sum, { attempt, pool }) => sum + attempt.record.length - pool.left().length,
      0,
    ),
    notStarted: progress.notStarted,
  };
}

/** The policy of the run's row, which the replay does not use for decisions. */
async function recordedPolicy({ run }: Recording): Promise<Policy> {
  try {
    return (await policyOf(run.policy)).policy;
  } catch (error) {
    const problem = `its policy can't be read: ${messageOf(error)}`;
    throw new AppError('RUN_NOT_REPLAYABLE', { id: run.id, problem });
  }
}

/** Creates the row of the replayed run: the recorded one in its initial state. */
function createRow(
  { run: { wish: request, ...run } }: Recording,
  { runs, journal, now }: Stores,
): RunRecord {
  const record: RunRecord = {
    ...run,
    request,
    status: 'running',
    reason: null,
    answer: null,
    error: null,
    endedAt: null,
    stoppedBy: null,
    owner: ownIdentity(),
    leaseUntil: leaseFrom(now()),
  };
  journal.note(() => runs.create(record));
  return record;
}

/**
 * A replay can reproduce only the end of a run that ended by itself.
 *
 * @throws AppError `RUN_NOT_REPLAYABLE`.
 */
function assertReplayable(recording: Recording): void {
  const problem = problemOf(recording);
  if (problem === undefined) return;
  const { id, status } = recording.run;
  throw new AppError('RUN_NOT_REPLAYABLE', { id, problem, isParked: status === 'parked' });
}

function problemOf({ run, intents, attempts, subtasks }: Recording): string | undefined {
  if (run.status === 'parked') return 'it is parked and has not ended. Resume it first';
  if (run.status === 'running' || run.status === 'pending') return 'it is still running';
  if (run.status === 'completed' && subtasks.length === 0 && attempts.length === 0)
    return 'it only made a plan';
  if (run.status === 'cancelled') return 'it was cancelled, and that moment is not recorded';
  const isLate = run.reason === 'deadline' && !subtasks.some(({ reason }) => reason === 'deadline');
  if (isLate || subtasks.some(({ status }) => status === 'cancelled')) {
    return 'it exceeded its time limit, and that moment is not recorded';
  }
  if (intents.length === 0 && attempts.length === 0) return 'it ended before its first request';
  return undefined;
}

import { join } from 'node:path';
import { installFolder, packageVersion } from '../../../config/files/install-folder.ts';
import { makePlaces } from '../../../config/places.ts';
import { AppError } from '../../../contract/errors.ts';
import type { Failure, Reason, RunStatus } from '../../../contract/status.ts';
import type { ReplayCapsule } from '../../../history/replay/replay-capsules.ts';
import type { Divergence } from '../../../history/replay/replay-progress.ts';
import { type Replay, replayRun as replayRecording } from '../../../history/replay/replay-run.ts';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import type { CapsuleRunner } from '../../../runtime/runner.ts';
import type { AppContext } from '../../context/open-context.ts';
import { temporaryStores } from '../../context/open-context.ts';
import { assertIsolation, isolated, openIsolation } from '../../wiring/isolation.ts';
import { findRecording } from './find-recording.ts';

export interface ReplayOptions {
  /** Fails if the files of a capsule changed since the run. Default: no. */
  readonly strict?: boolean | undefined;
  /** Starts capsules without a sandbox. Default: no. */
  readonly isIsolationWaived?: boolean | undefined;
  /** Called before anything starts. If it throws, nothing starts. */
  readonly onStart?: ((start: ReplayStart) => void) | undefined;
  /** Aborting stops the replay immediately, with `CANCELLED`. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReplayStart {
  /** Version of Capstan that made the recording. */
  readonly recordedBy: string;
  /** Version of this Capstan. */
  readonly version: string;
  readonly capsules: readonly ReplayedCapsule[];
}

export interface ReplayedCapsule extends Omit<ReplayCapsule, 'capsule'> {
  readonly id: string;
}

/** How a replay compares with its recording. */
export interface ReplayReport {
  readonly runId: string;
  readonly isIdentical: boolean;
  readonly status: RunStatus;
  readonly reason: Reason | null;
  readonly answer: string | null;
  /** Of the answer, in hex. */
  readonly answerSha256: string | null;
  readonly attemptsStarted: number;
  /** Requests that were answered from the recording. */
  readonly requestsAnswered: number;
  /** Attempts without a final: they end as recorded. */
  readonly attemptsNotStarted: readonly {
    readonly subtaskId: string;
    readonly number: number;
    readonly capsuleId: string;
    readonly error: Failure | null;
  }[];
  readonly capsules: readonly ReplayedCapsule[];
  /** The first difference. */
  readonly divergence: Divergence | null;
}

/** Implements `runs.replay`. */
export async function replayRun(context: AppContext, source: string, options: ReplayOptions = {}) {
  const { recording, installed } = await findRecording(context, source);
  const replay = await replayRecording(recording, {
    installed,
    sdk: join(installFolder(), 'dist/capsule-sdk.cjs'),
    makeStores: await temporaryStores(),
    runCapsule: await sandboxedRunner(context, options.isIsolationWaived === true),
    signal: options.signal ?? new AbortController().signal,
    onCapsules(found) {
      const capsules = found.map(capsuleOf);
      if (options.strict === true) assertSame(recording.run.id, capsules);
      options.onStart?.({ recordedBy: recording.capstan, version: packageVersion(), capsules });
    },
  });
  return reportOf(replay);
}

/** Capsules start at the isolation level of today. */
async function sandboxedRunner({ places }: AppContext, isWaived: boolean): Promise<CapsuleRunner> {
  makePlaces(places);
  const isolation = await openIsolation({ places, sandboxRead: [] }, isWaived);
  assertIsolation({ isolation: 'auto' }, isolation, undefined);
  return isolated(isolation, { places });
}

function capsuleOf({ capsule: { id }, state, recordedHash, hash }: ReplayCapsule): ReplayedCapsule {
  return { id, state, recordedHash, hash };
}

function assertSame(id: string, capsules: readonly ReplayedCapsule[]): void {
  const changed = capsules.filter(({ hash, recordedHash }) => hash !== recordedHash);
  if (changed.length === 0) return;
  const problem = `${changed.map((one) => `"${one.id}"`).join(', ')} changed since the run`;
  throw new AppError('RUN_NOT_REPLAYABLE', { id, problem });
}

const reportOf = ({ run, capsules, divergence, ...replay }: Replay): ReplayReport => ({
  runId: run.id,
  isIdentical: replay.isIdentical,
  status: run.status,
  reason: run.reason,
  answer: run.answer,
  answerSha256: run.answer === null ? null : sha256(run.answer),
  attemptsStarted: replay.started,
  requestsAnswered: replay.answered,
  attemptsNotStarted: replay.notStarted.map(({ subtaskId, number, capsuleId, error }) => {
    return { subtaskId, number, capsuleId, error };
  }),
  capsules: capsules.map(capsuleOf),
  divergence: divergence ?? null,
});

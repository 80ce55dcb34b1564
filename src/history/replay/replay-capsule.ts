import { messageOf } from '../../contract/errors.ts';
import type { AgentResponse, CoordinatorRequest } from '../../contract/protocol.ts';
import { RecordedFailure } from '../../coordinator/failure.ts';
import { canonicalJson } from '../../platform/canonical-hash.ts';
import type { CapsuleRunner, RunCapsuleOptions } from '../../runtime/runner.ts';
import { told } from './replay-broker.ts';
import type { ReplayedAttempt, ReplayTrack } from './replay-track.ts';

/**
 * Starts the process of a recorded attempt again: from its recorded line, so that memory, date and ids are those of
 * then. An attempt that left no final is not started; how it ended is taken as it is recorded.
 */
export function createReplayCapsule(track: ReplayTrack, run: CapsuleRunner): CapsuleRunner {
  return async (options) => {
    const { subtask_id: subtaskId } = options.request;
    const replayed = track.next(subtaskId);
    const where = `subtask ${subtaskId}`;
    if (!replayed) {
      const now = `another attempt, of ${options.capsule}`;
      throw track.diverge({ where, recorded: 'no further attempt', now });
    }
    const { attempt } = replayed;
    if (attempt.capsuleId !== options.capsule) {
      const recorded = `an attempt of ${attempt.capsuleId}`;
      throw track.diverge({ where, recorded, now: `an attempt of ${options.capsule}` });
    }
    assertSameWork(replayed, options, track);
    if (attempt.response === null) {
      track.taken.push(attempt);
      const failure = attempt.error ?? { code: 'INTERNAL', message: 'Nothing is recorded of it.' };
      throw new RecordedFailure(failure, attempt.reason ?? 'crashed');
    }
    track.carriedOut.push(replayed);
    return perform(replayed, options, { track, run });
  };
}

interface With {
  readonly track: ReplayTrack;
  readonly run: CapsuleRunner;
}

async function perform(
  { attempt, pool }: ReplayedAttempt,
  options: RunCapsuleOptions,
  { track, run }: With,
): Promise<AgentResponse> {
  const where = `subtask ${attempt.subtaskId}, attempt ${attempt.number} of ${attempt.capsuleId}`;
  const request = attempt.request as CoordinatorRequest;
  let response: AgentResponse;
  try {
    response = await run({ ...options, request });
  } catch (error) {
    track.diverge({ where, recorded: told(attempt.response), now: messageOf(error) });
    throw error;
  }
  const [unasked] = pool.left();
  if (unasked) {
    const recorded = `it asked: ${told(unasked.request)}`;
    throw track.diverge({ where, recorded, now: `it ended without asking: ${finalOf(response)}` });
  }
  if (finalOf(response) !== finalOf(attempt.response)) {
    const recorded = finalOf(attempt.response);
    throw track.diverge({ where: `${where}, its final`, recorded, now: finalOf(response) });
  }
  return response;
}

/** What a final says beside figures of its own process. */
function finalOf(response: unknown): string {
  const { status, result, memory_updates, artifacts } = response as AgentResponse;
  return canonicalJson({ status, result, memory_updates, artifacts });
}

/** The coordinator hands over the same task and the same results as it did then. */
function assertSameWork(
  { attempt }: ReplayedAttempt,
  { request }: RunCapsuleOptions,
  track: ReplayTrack,
): void {
  const recorded = attempt.request as CoordinatorRequest | null;
  if (recorded === null) return;
  const [then, now] = [workOf(recorded), workOf(request)];
  if (then === now) return;
  const where = `subtask ${attempt.subtaskId}, attempt ${attempt.number}, what it starts from`;
  throw track.diverge({ where, recorded: then, now });
}

const workOf = ({ task, context }: CoordinatorRequest): string =>
  canonicalJson({ task, run_task: context.run_task, results: context.results });

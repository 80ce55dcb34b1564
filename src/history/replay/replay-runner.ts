import { messageOf } from '../../contract/errors.ts';
import type { AgentResponse, CoordinatorRequest } from '../../contract/wire/protocol.ts';
import { RecordedFailure } from '../../coordinator/failure.ts';
import { canonicalJson } from '../../platform/text/canonical-hash.ts';
import type { CapsuleRunner, RunCapsuleOptions } from '../../runtime/runner.ts';
import { type ReplayedAttempt, type ReplayProgress, shownValue } from './replay-progress.ts';

/**
 * Starts the capsule of a recorded attempt again, with the recorded request: memory, date and ids are those of the run.
 * An attempt without an `agent_response` is not started; it ends as recorded.
 */
export function createReplayRunner(progress: ReplayProgress, run: CapsuleRunner): CapsuleRunner {
  return async (options) => {
    const { subtask_id: subtaskId } = options.request;
    const replayed = progress.next(subtaskId);
    const where = `subtask ${subtaskId}`;
    if (!replayed) {
      const now = `another attempt, of ${options.capsule}`;
      throw progress.diverge({ where, recorded: 'no further attempt', now });
    }
    const { attempt } = replayed;
    if (attempt.capsuleId !== options.capsule) {
      const recorded = `an attempt of ${attempt.capsuleId}`;
      throw progress.diverge({ where, recorded, now: `an attempt of ${options.capsule}` });
    }
    assertSameWork(replayed, options, progress);
    if (attempt.response === null) {
      progress.notStarted.push(attempt);
      const failure = attempt.error ?? { code: 'INTERNAL', message: 'No error is recorded.' };
      throw new RecordedFailure(failure, attempt.reason ?? 'crashed');
    }
    progress.started.push(replayed);
    return perform(replayed, options, { progress, run });
  };
}

interface ReplayRunner {
  readonly progress: ReplayProgress;
  readonly run: CapsuleRunner;
}

async function perform(
  { attempt, pool }: ReplayedAttempt,
  options: RunCapsuleOptions,
  { progress, run }: ReplayRunner,
): Promise<AgentResponse> {
  const where = `subtask ${attempt.subtaskId}, attempt ${attempt.number} of ${attempt.capsuleId}`;
  const request = attempt.request as CoordinatorRequest;
  let response: AgentResponse;
  try {
    response = await run({ ...options, request });
  } catch (error) {
    progress.diverge({ where, recorded: shownValue(attempt.response), now: messageOf(error) });
    throw error;
  }
  const [unused] = pool.left();
  if (unused) {
    const recorded = `it requested: ${shownValue(unused.request)}`;
    throw progress.diverge({
      where,
      recorded,
      now: `it ended without that request: ${finalOf(response)}`,
    });
  }
  if (finalOf(response) !== finalOf(attempt.response)) {
    const recorded = finalOf(attempt.response);
    throw progress.diverge({ where: `${where}, its final`, recorded, now: finalOf(response) });
  }
  return response;
}

/** The content of an `agent_response`, without the metrics of its process. */
function finalOf(response: unknown): string {
  const { status, result, memory_updates, artifacts } = response as AgentResponse;
  return canonicalJson({ status, result, memory_updates, artifacts });
}

function assertSameWork(
  { attempt }: ReplayedAttempt,
  { request }: RunCapsuleOptions,
  progress: ReplayProgress,
): void {
  const recorded = attempt.request as CoordinatorRequest | null;
  if (recorded === null) return;
  const [before, now] = [workOf(recorded), workOf(request)];
  if (before === now) return;
  const where = `subtask ${attempt.subtaskId}, attempt ${attempt.number}, its request`;
  throw progress.diverge({ where, recorded: before, now });
}

const workOf = ({ task, context }: CoordinatorRequest): string =>
  canonicalJson({ task, run_task: context.run_task, results: context.results });

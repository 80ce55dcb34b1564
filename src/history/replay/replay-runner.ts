import { messageOf } from '../../contract/errors.ts';
import type { CoordinatorRequest } from '../../contract/wire/coordinator-messages.ts';
import type { AgentResponse } from '../../contract/wire/protocol.ts';
import { RecordedFailure } from '../../coordinator/failure.ts';
import { canonicalJson } from '../../platform/text/canonical-hash.ts';
import type { CapsuleRunner } from '../../runtime/runner.ts';
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
    const request = attempt.request as CoordinatorRequest;
    const [recorded, now] = [workOf(request), workOf(options.request)];
    if (recorded !== now)
      throw progress.diverge({
        where: `${where}, attempt ${attempt.number}, its request`,
        recorded,
        now,
      });
    if (attempt.response === null) {
      progress.notStarted.push(attempt);
      const failure = attempt.error ?? { code: 'INTERNAL', message: 'No error is recorded.' };
      throw new RecordedFailure(failure, attempt.reason ?? 'crashed');
    }
    progress.started.push(replayed);
    return perform(replayed, progress, () => run({ ...options, request }));
  };
}

async function perform(
  { attempt, pool }: ReplayedAttempt,
  progress: ReplayProgress,
  run: () => Promise<AgentResponse>,
): Promise<AgentResponse> {
  const where = `subtask ${attempt.subtaskId}, attempt ${attempt.number} of ${attempt.capsuleId}`;
  let response: AgentResponse;
  try {
    response = await run();
  } catch (error) {
    progress.diverge({ where, recorded: shownValue(attempt.response), now: messageOf(error) });
    throw error;
  }
  const [recorded, now] = [finalOf(attempt.response), finalOf(response)];
  const [unused] = pool.left();
  if (unused)
    throw progress.diverge({
      where,
      recorded: `it requested: ${shownValue(unused.request)}`,
      now: `it ended without that request: ${now}`,
    });
  if (recorded !== now) throw progress.diverge({ where: `${where}, its final`, recorded, now });
  return response;
}

/** The content of an `agent_response`, without the metrics of its process. */
function finalOf(response: unknown): string {
  const { status, result, memory_updates, artifacts } = response as AgentResponse;
  return canonicalJson({ status, result, memory_updates, artifacts });
}

const workOf = ({ task, context }: CoordinatorRequest): string =>
  canonicalJson({ task, run_task: context.run_task, results: context.results });

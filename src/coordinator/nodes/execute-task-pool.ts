import { AppError } from '../../contract/errors.ts';
import { isStorageFailure } from '../../db/storage-failure.ts';
import { performSubtask } from '../perform-subtask.ts';
import type { Step } from '../plan.ts';
import type { RunContext } from '../run-context.ts';
import { endedBy, isInterrupted } from '../run-stop.ts';
import { type Ending, runPool } from '../scheduler.ts';
import type { RunState, RunUpdate } from '../state.ts';
import type { SubtaskRecord } from '../subtask-store.ts';

/** Node: executes the subtasks of the phase that have not ended. Reads `phase`, writes rows only. */
export const executeTaskPool =
  (run: RunContext) =>
  async ({ phase }: RunState): Promise<RunUpdate> => {
    const { parts, record, scope } = run;
    const known = parts.subtasks.of(record.id);
    let broken: unknown;
    await runPool({
      steps: known.filter((subtask) => subtask.phase === phase && !endingOf(subtask)).map(toStep),
      ended: endings(known),
      concurrency: parts.limits.concurrency,
      isCancelled: () => endedBy(run.signal) !== undefined,
      onStalled() {
        if (!run.canAnswer()) scope.parking.abort('approval');
      },
      async perform(step, pause) {
        if (isInterrupted(run.signal)) return 'parked';
        try {
          return await performSubtask(run, step, pause);
        } catch (error) {
          // Other subtasks finish what they are doing first, so that none of their outcomes stays unknown.
          if (!isStorageFailure(error)) throw error;
          broken ??= error;
          scope.parking.abort('interrupted');
          return 'parked';
        }
      },
      skip(step, { ending, because }) {
        const reason = ending === 'skipped' ? 'dependency_failed' : 'cancelled';
        const message = ending === 'skipped' ? `Skipped: ${because}.` : `Not started: ${because}.`;
        const error = { code: reason.toUpperCase(), message };
        parts.journal.note(() =>
          parts.subtasks.end(record.id, step.id, {
            status: ending,
            reason,
            result: undefined,
            error,
            capsuleId: null,
          }),
        );
        parts.events.emit({
          type: 'subtask.ended',
          run_id: record.id,
          subtask_id: step.id,
          capsule_id: null,
          status: ending,
          reason,
          message,
          duration_ms: 0,
        });
      },
    });
    if (broken !== undefined) throw broken;
    if (scope.isProviderOut) scope.parking.abort('provider');
    if (scope.parking.signal.aborted) throw new AppError('RUN_PARKED', {});
    return {};
  };

const toStep = (subtask: SubtaskRecord): Step => ({
  id: subtask.id,
  description: subtask.description,
  depends_on: [...subtask.dependsOn],
  ...(subtask.plannedCapsule === null ? {} : { capsule: subtask.plannedCapsule }),
  writes: [...subtask.writes],
  needs: [...subtask.needs],
});

const endings = (subtasks: readonly SubtaskRecord[]): ReadonlyMap<string, Ending> =>
  new Map(
    subtasks.flatMap((subtask) => {
      const ending = endingOf(subtask);
      return ending ? [[subtask.id, ending] as const] : [];
    }),
  );

function endingOf({ status }: SubtaskRecord): Ending | undefined {
  return status === 'pending' || status === 'running' || status === 'waiting_approval'
    ? undefined
    : status;
}

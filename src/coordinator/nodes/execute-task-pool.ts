import { AppError } from '../../contract/errors.ts';
import { isStorageFailure } from '../../db/health/storage-failure.ts';
import type { RunContext } from '../context/run-context.ts';
import { endSubtask, performSubtask } from '../perform-subtask.ts';
import type { Phase, Step } from '../plan/plan.ts';
import { isHeld, replanReason, replanRest } from '../plan/replan-rest.ts';
import { type Ending, runPool } from '../scheduler.ts';
import type { RunState, RunUpdate } from '../state.ts';
import { endedBy, isInterrupted } from '../stop/run-stop.ts';
import { type SubtaskRecord, toStep } from '../store/subtasks/subtask-record.ts';

/**
 * Node: executes the subtasks of the phase that have not ended. After a failure, or a message of the person, the unfinished
 * steps of the execution are planned again. Reads `phase`, writes rows only.
 */
export async function executeTaskPool(run: RunContext, { phase }: RunState): Promise<RunUpdate> {
  const mayReplan = phase === 'execution' && run.parts.provider.isModel;
  if (!mayReplan || !(await runWithReplans(run))) await runSteps(run, phase, true);
  return {};
}

async function runWithReplans(run: RunContext): Promise<boolean> {
  for (;;) {
    const haveEnded = await runSteps(run, 'execution', false);
    const why = replanReason(run);
    if (why === undefined || !(await replanRest(run, why))) return haveEnded;
  }
}

/**
 * Runs the steps of a phase until none can start.
 *
 * @param skipsBlocked Whether a step whose dependency did not complete is ended as skipped. Else it stays as it is.
 * @returns Whether every step has ended.
 * @throws AppError `RUN_PARKED`; a storage failure.
 */
async function runSteps(
  run: RunContext,
  phase: Phase | null,
  skipsBlocked: boolean,
): Promise<boolean> {
  const { parts, record, scope } = run;
  const known = parts.subtasks.of(record.id).filter(({ replacedFor }) => replacedFor === null);
  let broken: unknown;
  let isLeft = false;
  const ended = await runPool({
    steps: known.filter((subtask) => subtask.phase === phase && !hasEnded(subtask)).map(toStep),
    ended: new Map(known.filter(hasEnded).map(({ id, status }) => [id, status as Ending])),
    concurrency: parts.limits.concurrency,
    isCancelled: () => endedBy(run.signal) !== undefined,
    onStalled() {
      if (!parts.canAnswer(record)) scope.parking.abort('approval');
    },
    async perform(step, pause) {
      if (isInterrupted(run.signal)) return 'parked';
      if (phase === 'execution' && isHeld(run, step.id)) return 'parked';
      try {
        return await performSubtask(run, step, pause);
      } catch (error) {
        // Other subtasks finish their running effects first, so that none of the outcomes stays unknown.
        if (!isStorageFailure(error)) throw error;
        broken ??= error;
        scope.parking.abort('interrupted');
        return 'parked';
      }
    },
    skip(step, why) {
      if (why.ending === 'cancelled' || skipsBlocked) skip(run, step, why);
      else isLeft = true;
    },
  });
  if (broken !== undefined) throw broken;
  if (scope.isProviderOut) scope.parking.abort('provider');
  if (scope.parking.signal.aborted) throw new AppError('RUN_PARKED', {});
  return !isLeft && known.every(({ id }) => ended.has(id));
}

function skip(
  run: RunContext,
  step: Step,
  { ending, because }: { readonly ending: 'skipped' | 'cancelled'; readonly because: string },
): void {
  const reason = ending === 'skipped' ? 'dependency_failed' : 'cancelled';
  const message = ending === 'skipped' ? `Skipped: ${because}.` : `Not started: ${because}.`;
  const error = { code: reason.toUpperCase(), message };
  endSubtask(run, step, { status: ending, reason, error, durationMs: 0 });
}

const hasEnded = ({ status }: SubtaskRecord): boolean =>
  status !== 'pending' && status !== 'running' && status !== 'waiting_approval';

import type { PlanAnswer } from '../../../broker/questions/gates/plan-gate.ts';
import { AppError } from '../../../contract/errors.ts';
import type { RunContext } from '../../context/run-context.ts';
import { callRunHooks } from '../../context/run-hooks.ts';
import { failureOf } from '../../failure.ts';
import { writeRunEnd } from '../../life/end-run.ts';
import { type SubtaskRecord, toStep } from '../../store/subtasks/subtask-record.ts';
import { adoptPlan, reportPlan } from '../adopt-plan.ts';
import { planQuestion } from '../make/plan-question.ts';
import { makePlan, type Plan } from '../make/planner.ts';
import { EditedStep, type Phase, type Step } from '../plan.ts';
import { currentSteps, hasNewMessage, isUnstarted } from '../replan-rest.ts';
import { previewPlan } from './preview-plan.ts';

export interface Planned {
  readonly phase: Phase;
  /** Why the plan of the model was not taken. */
  readonly notice?: string | undefined;
}

/**
 * Asks a person about the plan of a phase before its steps start, if the run was started with that option. After a message
 * instead of an answer, the plan is made again.
 *
 * @returns The phase whose steps run now; undefined if the plan was dropped: then the run has ended.
 * @throws AppError `CANCELLED` if the run stopped or parked in between.
 */
export async function confirmPlan(run: RunContext, first: Planned): Promise<Phase | undefined> {
  const { plan: planGate } = run.parts.gates;
  if (run.record.request.planFirst !== true || !planGate) return first.phase;
  let planned = first;
  for (;;) {
    const { phase } = planned;
    const rows = currentSteps(run, phase);
    if (!rows.every(isUnstarted)) return phase;
    const answer = await askAbout(run, planned, rows.map(toStep));
    if (answer.kind === 'approved') return phase;
    if (answer.kind === 'dropped') {
      drop(run, rows, answer);
      return undefined;
    }
    planned = await planAgain(run, phase, rows);
  }
}

async function askAbout(
  run: RunContext,
  { phase, notice }: Planned,
  steps: readonly Step[],
): Promise<PlanAnswer> {
  const { parts, record, scope } = run;
  const superseding = new AbortController();
  const look = () => {
    if (hasNewMessage(run)) superseding.abort();
  };
  look();
  const stop = parts.changes.listen((hasChanged) => hasChanged && look());
  let edited: Plan | undefined;
  try {
    const answer = await parts.gates.plan?.({
      scope,
      phase,
      steps,
      notice,
      preview: () => previewPlan(run, { phase, steps }),
      superseded: superseding.signal,
      onApproved(given) {
        if (!given) return;
        edited = { phase, steps: given.map((step) => EditedStep.parse(step)) };
        parts.subtasks.discard(
          record.id,
          steps.map(({ id }) => id),
        );
        parts.subtasks.add(record.id, phase, edited.steps);
      },
    });
    if (edited) reportPlan(run, edited);
    return answer ?? { kind: 'approved' };
  } finally {
    stop();
  }
}

/** The plan that covers the person's messages; the same steps if the planner makes no other. */
async function planAgain(
  run: RunContext,
  phase: Phase,
  rows: readonly SubtaskRecord[],
): Promise<Planned> {
  const { parts, record } = run;
  const ids = rows.map(({ id }) => id);
  const steps = rows.map(toStep);
  const said = parts.messages.of(record.id).map(({ id }) => id);
  const same: Plan = { phase, steps };
  if (record.request.namedCapsule !== null || !parts.provider.isModel) {
    await adoptPlan(run, same, { messageIds: said, discards: ids });
    return { phase };
  }
  await callRunHooks(run, 'pre_plan', { phase });
  const unfinished = steps.map((step) => ({ ...step, status: 'not started' as const }));
  const again = { unfinished, again: 'message' as const };
  const asked = await planQuestion(run, phase, again, new Set(ids));
  const { plan: made, notice } = await makePlan(run, asked);
  const plan = made && made.steps.length > 0 ? made : same;
  await adoptPlan(run, plan, { messageIds: asked.messageIds, discards: ids });
  return { phase: plan.phase, notice };
}

function drop(
  { parts, record }: RunContext,
  rows: readonly SubtaskRecord[],
  { reason, why }: Extract<PlanAnswer, { kind: 'dropped' }>,
): void {
  const error = failureOf(new AppError('PLAN_DROPPED', { why }));
  const ended = { status: 'cancelled', reason: 'cancelled', error } as const;
  parts.journal.commit(() => {
    for (const { id } of rows) parts.subtasks.end(record.id, id, ended);
    const status = reason === 'cancelled' ? 'cancelled' : 'failed';
    writeRunEnd(parts, record.id, { status, reason, answer: null, error });
  });
}

import type { PlanPreview, PreviewStep } from '../../contract/plan-preview.ts';
import { forecastText } from '../../contract/text/forecast-text.ts';
import type { RunContext } from '../context/run-context.ts';
import { callRunHooks, taskWithNotes } from '../context/run-hooks.ts';
import { writeRunEnd } from '../life/end-run.ts';
import { adoptPlan, reportPlan } from '../plan/adopt-plan.ts';
import { planQuestion } from '../plan/make/plan-question.ts';
import { makePlan, type Plan, wholeTask } from '../plan/make/planner.ts';
import type { Phase } from '../plan/plan.ts';
import { confirmPlan, type Planned } from '../plan/preview/confirm-plan.ts';
import { previewPlan } from '../plan/preview/preview-plan.ts';
import type { RunState, RunUpdate } from '../state.ts';

/** Node: makes the next plan (discovery first, then execution with its results) and its rows. Writes `phase`, or `isOver` if the run has ended with its plan. */
export async function decomposeTask(run: RunContext, state: RunState): Promise<RunUpdate> {
  const known = run.isResumed ? plannedPhase(run, state.phase) : undefined;
  const next = known ? { phase: known } : await planNext(run, state.phase);
  const agreed = next && (await confirmPlan(run, next));
  return agreed ? { phase: agreed } : { isOver: true };
}

/** Undefined after a dry run: the run has ended with its plan. */
async function planNext(run: RunContext, done: Phase | null): Promise<Planned | undefined> {
  const wanted = done === 'discovery' ? 'execution' : 'discovery';
  await callRunHooks(run, 'pre_plan', { phase: wanted });
  const { plan, messageIds, notice } = await planFor(run, wanted);
  if (run.record.request.dryRun === true) {
    await endDryRun(run, plan);
    return undefined;
  }
  await adoptPlan(run, plan, { messageIds });
  return { phase: plan.phase, notice };
}

/** The plan that was made before the run was interrupted. */
function plannedPhase({ parts, record }: RunContext, done: Phase | null): Phase | undefined {
  const phases = parts.subtasks.of(record.id).map(({ phase }) => phase);
  return done === null ? phases[0] : phases.find((phase) => phase === 'execution');
}

/** If both plans of the model are invalid, the whole task becomes one step. */
async function planFor(run: RunContext, phase: Phase) {
  if (run.record.request.namedCapsule !== null)
    return { plan: wholeTask(taskWithNotes(run, phase)), messageIds: [], notice: undefined };
  const asked = await planQuestion(run, phase);
  const { question, earlier, messageIds } = asked;
  const { plan, notice } = await makePlan(run, asked);
  return { plan: plan ?? wholeTask(question.task, earlier), messageIds, notice };
}

async function endDryRun(run: RunContext, plan: Plan): Promise<void> {
  const { parts, record } = run;
  const preview = await previewPlan(run, plan);
  reportPlan(run, plan);
  parts.journal.commit(() => {
    parts.runs.addToRequest(record, { preview });
    const answer = answerOf(preview);
    writeRunEnd(parts, record.id, { status: 'completed', reason: null, answer, error: null });
  });
}

function answerOf({ phase, steps, forecast }: PlanPreview): string {
  const head =
    phase === 'discovery'
      ? 'The plan starts with discovery steps; the rest is planned from their results.'
      : 'The plan:';
  const lines = steps.map((step, index) => `${index + 1}. ${lineOf(step)}`);
  return `${head}\n\n${lines.join('\n')}\n\n${forecastText(forecast)} Nothing was executed.`;
}

function lineOf({ description, capsule_id, route, depends_on }: PreviewStep): string {
  const after = depends_on.length > 0 ? `, after ${depends_on.join(', ')}` : '';
  return `${description} (${capsuleText(capsule_id, route)}${after})`;
}

function capsuleText(id: string | null, route: PreviewStep['route']): string {
  if (route === 'create') return 'no capsule fits: a new one would have to be created';
  if (id === null) return 'no capsule fits';
  return route === 'close' ? `${id} or another: chosen when it starts` : id;
}

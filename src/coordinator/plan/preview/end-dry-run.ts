import type { PlanPreview, PreviewStep } from '../../../contract/plan-preview.ts';
import { forecastText } from '../../../contract/text/forecast-text.ts';
import type { RunContext } from '../../context/run-context.ts';
import { writeRunEnd } from '../../life/end-run.ts';
import { reportPlan } from '../adopt-plan.ts';
import type { Plan } from '../make/planner.ts';
import { previewPlan } from './preview-plan.ts';

/** Stores the plan of a dry run, and ends the run with it as its answer. */
export async function endDryRun(run: RunContext, plan: Plan): Promise<void> {
  const { parts, record } = run;
  const preview = await previewPlan(run, plan);
  reportPlan(run, plan);
  const { request } = parts.runs.refresh(record);
  parts.journal.commit(() => {
    parts.runs.saveRequest(record.id, { ...request, preview });
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

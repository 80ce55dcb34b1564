import type { PlanPreview, PreviewStep } from '../../../contract/plan-preview.ts';
import type { Route } from '../../../registry/search/route.ts';
import type { RunContext } from '../../context/run-context.ts';
import { forecastOf } from '../../forecast/forecast.ts';
import { candidateOf } from '../../route/candidate.ts';
import { plainCandidates, searchCapsule } from '../../route/route-subtask.ts';
import { abilitiesOf, usableCapsules } from '../make/plan-question.ts';
import type { Phase, Step } from '../plan.ts';

/** A plan with the capsule that each step would get now, and its likely cost. Creates and asks nothing. */
export async function previewPlan(
  run: RunContext,
  { phase, steps }: { readonly phase: Phase; readonly steps: readonly Step[] },
): Promise<PlanPreview> {
  const { parts, record, scope } = run;
  const shown: PreviewStep[] = [];
  for (const step of steps) shown.push(await previewStep(run, step));
  const capsules = shown.map(({ capsule_id }) => capsule_id);
  const { runMicroUsd } = scope.policy.budget;
  return {
    phase,
    steps: shown,
    forecast: {
      ...forecastOf(capsules, parts.pastRuns(record), runMicroUsd),
      ...(parts.canSpend ? {} : { is_free: true }),
    },
    capsules: usableCapsules(parts).map((capsule) => ({
      id: capsule.id,
      ...(parts.provider.isModel && { can: abilitiesOf(capsule) }),
    })),
  };
}

async function previewStep(run: RunContext, step: Step): Promise<PreviewStep> {
  const { id, description, depends_on, order_only, writes, needs, capsule = null } = step;
  const about = {
    ...{ id, description, depends_on, writes, needs, capsule },
    ...(order_only && { order_only }),
  };
  const route = await searchCapsule(run, step).catch(() => undefined);
  return { ...about, ...routeOf(run, step, route) };
}

function routeOf(
  run: RunContext,
  { hint }: Step,
  route: Route | undefined,
): Pick<PreviewStep, 'capsule_id' | 'route' | 'hint'> {
  const hasModel = run.parts.provider.isModel;
  if (!route) return NONE;
  // Without a model, the nearest ones are tried.
  const isJudged = route.zone === 'create' && hasModel;
  const [nearest] = isJudged ? plainCandidates(run, route) : route.candidates;
  if (isJudged && !nearest) return { capsule_id: null, route: 'create', hint: hint ?? 'balanced' };
  const found = candidateOf(run, route.capsuleId ?? nearest?.capsuleId ?? '');
  if (!found) return NONE;
  const { capsule, kind } = found;
  const usesModel = hasModel && kind.mode !== 'handler';
  return {
    capsule_id: capsule.id,
    route: route.zone === 'create' ? 'close' : route.zone,
    hint: usesModel ? (hint ?? run.record.request.hint ?? kind.hint) : null,
  };
}

const NONE = { capsule_id: null, route: 'none', hint: null } as const;

import { namedInText } from '../../registry/named-in-text.ts';
import { ownCall } from '../own-call.ts';
import type { Phase } from '../plan.ts';
import { makePlan, type Plan } from '../planner.ts';
import type { RunContext } from '../run-context.ts';
import { callRunHooks, taskWithNotes } from '../run-hooks.ts';
import type { RunState, RunUpdate } from '../state.ts';

/** Node: makes the next plan (discovery first, then execution from what was found) and its rows. Writes `phase`. */
export const decomposeTask =
  (run: RunContext) =>
  async (state: RunState): Promise<RunUpdate> => {
    const { parts, record } = run;
    const known = run.isResumed ? plannedPhase(run, state.phase) : undefined;
    if (known) return { phase: known };
    const wanted = state.phase === 'discovery' ? 'execution' : 'discovery';
    await callRunHooks(run, 'pre_plan', { phase: wanted });
    const plan = await planFor(run, wanted);
    await callRunHooks(run, 'post_plan', { phase: plan.phase, steps: plan.steps });
    parts.journal.note(() => parts.subtasks.add(record.id, plan.phase, plan.steps));
    parts.events.emit({
      type: 'plan.made',
      run_id: record.id,
      phase: plan.phase,
      subtasks: plan.steps.map(({ id, description, depends_on }) => ({
        id,
        description,
        depends_on,
      })),
    });
    return { phase: plan.phase };
  };

/** The plan that was made before the run was interrupted. */
function plannedPhase({ parts, record }: RunContext, done: Phase | null): Phase | undefined {
  const phases = parts.subtasks.of(record.id).map(({ phase }) => phase);
  return done === null ? phases[0] : phases.find((phase) => phase === 'execution');
}

async function planFor(run: RunContext, phase: Phase): Promise<Plan> {
  const { parts, record, scope, namedCapsule } = run;
  const task = taskWithNotes(run, phase);
  if (namedCapsule !== undefined) return wholeTask(task);
  const found = parts.subtasks.of(record.id).map(({ id, description, status, result, error }) => ({
    subtask_id: id,
    description,
    result: status === 'completed' ? (result ?? null) : { failed: error?.message ?? status },
  }));
  const listed = parts.registry.list();
  const quarantined = parts.quarantine.idsAmong(listed);
  const capsules = listed
    .filter(({ id }) => !quarantined.has(id))
    .map(({ id, manifest }) => ({ id, description: manifest.description }));
  const { maxSubtasks } = parts.limits;
  const named = namedInText(record.task, new Map(listed.map((capsule) => [capsule.id, capsule])));
  const asked = { task, phase, found, capsules, max_subtasks: maxSubtasks };
  const question = named === undefined ? asked : { ...asked, named: `@${named}` };
  return makePlan(
    question,
    (call) => ownCall(parts.broker, scope.coordinator, call),
    (problem) => parts.events.emit({ type: 'plan.repaired', run_id: record.id, problem }),
  );
}

const wholeTask = (task: string): Plan => ({
  phase: 'execution',
  steps: [{ id: 's1', description: task, depends_on: [], writes: [], needs: [] }],
});

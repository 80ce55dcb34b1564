import { halfMadeIn } from '../broker/create-gate.ts';
import type { RunScope } from '../broker/scope.ts';
import { draftCapsule, writeCapsule } from '../registry/capsule-factory.ts';
import { findTwin } from '../registry/find-twin.ts';
import type { Route } from '../registry/route.ts';
import { grantableIn } from './grantable.ts';
import type { Step } from './plan.ts';
import { profileFor } from './profile-for.ts';
import type { RunContext } from './run-context.ts';
import type { Pause } from './scheduler.ts';

/** A subtask whose capsule is not settled yet. */
export interface Open {
  readonly step: Step;
  readonly route: Route;
  readonly pause: Pause;
}

/**
 * Finds a capsule for what none fits: one that is all but the one that would be made, else a new one, where a person
 * agrees to it.
 *
 * @throws What the coordinator's model calls throw.
 */
export async function fillGap(run: RunContext, open: Open): Promise<Route> {
  const { parts, scope } = run;
  const { step, route, pause } = open;
  const profile = await profileFor(run, step.description, callerIn(run, open));
  const known = parts.registry.list();
  const judged = route.candidates.map(({ capsuleId }) => capsuleId);
  const exclude = [...parts.quarantine.idsAmong(known), ...judged, ...halfMadeIn(scope)];
  const twin = await findTwin(parts.registry, profile, exclude);
  if (twin) {
    const candidates = [twin, ...route.candidates];
    return { ...route, zone: 'create', capsuleId: twin.capsuleId, candidates, decidedBy: 'twin' };
  }
  const draft = await draftCapsule({
    profile,
    templateDir: parts.paths.templateDir,
    targetDir: parts.paths.agentsDir,
    taken: new Set([...known.map(({ id }) => id), ...halfMadeIn(scope, { besides: step.id })]),
    claim: claimFor(run, step),
    grantable: grantableIn(scope.policy),
    skills: new Set(parts.registry.skills().map(({ id }) => id)),
  });
  const make = () => writeCapsule(draft);
  const begin = () => {
    const capsule = { id: draft.manifest.id, origin: 'personal', dir: draft.dir } as const;
    for (const { forget } of [parts.metrics, parts.quarantine, parts.registry]) forget(capsule);
  };
  const wish = { scope, subtaskId: step.id, draft, pause, make, begin };
  const created = await parts.gate.create(wish);
  if (!created) return { ...route, zone: 'create', capsuleId: undefined };
  await parts.registry.sync();
  const decidedBy = created.isByPerson ? 'person' : 'policy';
  return { ...route, zone: 'create', capsuleId: created.capsuleId, decidedBy };
}

/** The coordinator's own calls about one subtask: while one waits for a person, other subtasks go on. */
export const callerIn = ({ scope }: RunContext, { step, pause }: Pick<Open, 'step' | 'pause'>) => ({
  ...scope.coordinator,
  subtaskId: step.id,
  pause,
});

/** Of each run under way, the ids that its subtasks drafted: two that wait at the gate never mean one folder. */
const drafted = new WeakMap<RunScope, Map<string, string>>();

const claimFor =
  ({ scope }: RunContext, step: Step) =>
  (id: string): boolean => {
    const bySubtask = drafted.get(scope) ?? new Map<string, string>();
    drafted.set(scope, bySubtask);
    const isOthers = [...bySubtask].some(([subtask, own]) => own === id && subtask !== step.id);
    if (!isOthers) bySubtask.set(step.id, id);
    return !isOthers;
  };

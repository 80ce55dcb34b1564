import type { RunScope } from '../broker/intent/scope.ts';
import { halfMadeIn } from '../broker/questions/create-gate.ts';
import { AppError } from '../contract/errors.ts';
import { draftCapsule, writeCapsule } from '../registry/create/capsule-factory.ts';
import type { CapsuleProfile } from '../registry/create/capsule-profile.ts';
import { findTwin } from '../registry/search/find-twin.ts';
import type { Route } from '../registry/search/route.ts';
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
 * agrees to it. Of subtasks that want one at the same time, each sees what was made for those before it.
 *
 * @throws What the coordinator's model calls throw; AppError `CANCELLED` where the run left off meanwhile.
 */
export async function fillGap(run: RunContext, open: Open): Promise<Route> {
  const profile = await profileFor(run, open.step.description, callerIn(run, open));
  return inTurn(run, open, () => fillWith(profile, run, open));
}

async function fillWith(
  profile: CapsuleProfile,
  { parts, scope }: RunContext,
  { step, route, pause }: Open,
): Promise<Route> {
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
    grantable: grantableIn(scope.policy),
    skills: new Set(parts.registry.skills().map(({ id }) => id)),
    redactor: parts.redactor,
  });
  const make = () => writeCapsule(draft);
  const begin = () => {
    const capsule = { id: draft.manifest.id, origin: 'personal', dir: draft.dir } as const;
    for (const { forget } of [parts.metrics, parts.quarantine, parts.registry]) forget(capsule);
  };
  const creation = { scope, subtaskId: step.id, draft, pause, make, begin };
  const created = await parts.gate.create(creation);
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

/** Of each run under way, the last subtask that fills a gap or waits to. */
const turns = new WeakMap<RunScope, Promise<unknown>>();

/** While one waits for those before it, other subtasks go on. */
async function inTurn<T>(
  { scope }: RunContext,
  { pause }: Open,
  work: () => Promise<T>,
): Promise<T> {
  const before = turns.get(scope);
  const mine = (async () => {
    if (before !== undefined) await pause(() => before);
    if (scope.coordinator.signal.aborted)
      throw new AppError('CANCELLED', { what: 'The wait for a capsule of another subtask' });
    return work();
  })();
  const over = mine.catch(() => undefined);
  turns.set(scope, over);
  try {
    return await mine;
  } finally {
    if (turns.get(scope) === over) turns.delete(scope);
  }
}

import type { RunScope } from '../../broker/intent/scope.ts';
import { incompleteCapsules } from '../../broker/questions/gates/create-gate.ts';
import { AppError, failedWith } from '../../contract/errors.ts';
import { abilityWords } from '../../contract/permissions/ability.ts';
import { withFullStop } from '../../contract/text/full-stop.ts';
import { missingAbilities } from '../../registry/ability/ability.ts';
import {
  type CapsuleProfile,
  draftCapsule,
  writeCapsule,
} from '../../registry/create/capsule-factory.ts';
import { heuristicProfile } from '../../registry/create/heuristic-profile.ts';
import { findTwin } from '../../registry/search/find-twin.ts';
import type { Route } from '../../registry/search/route.ts';
import { agreedFilesOf } from '../agreed-capsule.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Step } from '../plan/plan.ts';
import type { Pause } from '../scheduler.ts';
import { assertCapsuleLimit } from './candidate.ts';
import { grantableIn, profileFor } from './profile-for.ts';

/** A subtask without a chosen capsule. */
export interface Open {
  readonly step: Step;
  readonly route: Route;
  readonly pause: Pause;
}

/**
 * Finds a capsule for a subtask that no candidate fits: an existing one that is almost equal to the one that would be created,
 * else a new one, if the gate allows it. Subtasks of a run take turns, so that each can use the capsules created before.
 *
 * @throws The errors of the coordinator's model calls; AppError `CAPSULES_EXHAUSTED`; `NO_CAPSULE_FITS` if the gates deny the abilities that the
 *   subtask needs; `CANCELLED` if the run stops.
 */
export async function fillGap(run: RunContext, open: Open): Promise<Route> {
  assertCapsuleLimit(run);
  assertGrantable(run, open);
  const profile = await describeGap(run, open);
  return inTurn(run, open, () => fillWith(profile, run, open));
}

/** @throws AppError `NO_CAPSULE_FITS` if no capsule that the run may create could have the needed abilities. */
function assertGrantable({ scope }: RunContext, { step, route }: Open): void {
  const missing = missingAbilities(grantableIn(scope.policy), route.needs ?? []);
  if (missing.length === 0) return;
  const problem = `it needs to ${abilityWords(missing)}. No capsule can do that, and the gates of this run deny it to a new one (CAPSTAN_WRITE_GATE, CAPSTAN_EXECUTE_GATE).`;
  throw new AppError('NO_CAPSULE_FITS', { subtask: step.description, problem });
}

/** By the words of the subtask, which a notice says, if the answers of the model are invalid. */
async function describeGap(run: RunContext, open: Open): Promise<CapsuleProfile> {
  const { parts, scope, record } = run;
  const { description: task } = open.step;
  const { needs } = open.route;
  try {
    return await profileFor(run, { task, needs }, callerIn(run, open));
  } catch (error) {
    if (!failedWith(error, 'MODEL_ANSWER_INVALID')) throw error;
    const text = `The new capsule is described by the words of its task: ${withFullStop(error.message)}`;
    parts.events.emit({ type: 'run.noticed', run_id: record.id, text });
    const grantable = grantableIn(scope.policy);
    return heuristicProfile(task, { skills: parts.registry.skills(), grantable, needs });
  }
}

async function fillWith(profile: CapsuleProfile, run: RunContext, open: Open): Promise<Route> {
  const { parts, scope } = run;
  const { step, route } = open;
  const known = parts.registry.list();
  const judged = route.candidates.map(({ capsuleId }) => capsuleId);
  const exclude = [...parts.quarantine.idsAmong(known), ...judged, ...incompleteCapsules(scope)];
  const twin = await findTwin(parts.registry, profile, { exclude, needs: route.needs });
  if (twin) {
    const candidates = [twin, ...route.candidates];
    return { ...route, zone: 'create', capsuleId: twin.capsuleId, candidates, decidedBy: 'twin' };
  }
  const draft = await draftCapsule({
    profile,
    templateDir: parts.paths.templateDir,
    targetDir: parts.paths.agentsDir,
    taken: new Set([
      ...known.map(({ id }) => id),
      ...incompleteCapsules(scope, { besides: step.id }),
    ]),
    grantable: grantableIn(scope.policy),
    skills: new Set(parts.registry.skills().map(({ id }) => id)),
    redactor: parts.redactor,
  });
  const make = async () => {
    const capsule = await writeCapsule(draft);
    const { id: capsuleId, dir, hash } = capsule;
    return { capsuleId, dir, hash, files: agreedFilesOf(capsule) };
  };
  const begin = () => {
    const capsule = { id: draft.manifest.id, origin: 'personal', dir: draft.dir } as const;
    for (const { forget } of [parts.metrics, parts.quarantine, parts.registry]) forget(capsule);
  };
  const created = await parts.gates.create({ scope: callerIn(run, open), draft, make, begin });
  if (!created) return { ...route, zone: 'create', capsuleId: undefined };
  await parts.registry.sync();
  const decidedBy = created.isByPerson ? 'person' : 'policy';
  return { ...route, zone: 'create', capsuleId: created.capsuleId, decidedBy };
}

/** The caller of the coordinator's own calls for one subtask: while it waits for a person, other subtasks continue. */
export const callerIn = ({ scope }: RunContext, { step, pause }: Pick<Open, 'step' | 'pause'>) => ({
  ...scope.coordinator,
  subtaskId: step.id,
  pause,
});

/** Per run, the last subtask in the queue of `inTurn`. */
const turns = new WeakMap<RunScope, Promise<unknown>>();

/** Runs `work` after the subtasks that queued before. While a subtask waits, others continue. */
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

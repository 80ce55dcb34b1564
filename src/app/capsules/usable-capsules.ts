import { capsuleProblem } from '../../registry/capsule-problem.ts';
import { type Capsule, leftOut } from '../../registry/capsule-store.ts';
import { toolbox } from '../../tools/toolbox.ts';
import type { LoadedCapsules } from './load-capsules.ts';
import { readSkills } from './overlay/read-skills.ts';

/** The capsules that a run would use. Reports each one that a run would leave out, and why. */
export async function usableCapsules(
  loaded: LoadedCapsules,
  among: readonly Capsule[] = loaded.capsules,
): Promise<readonly Capsule[]> {
  const skills = await readSkills(loaded);
  return among.filter((capsule) => {
    const problem = capsuleProblem(capsule, skills, toolbox);
    if (problem !== undefined) loaded.notice(leftOut(capsule, problem));
    return problem === undefined;
  });
}

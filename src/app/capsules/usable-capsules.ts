import { join } from 'node:path';
import { trustAll } from '../../config/project/project-files.ts';
import { isInside } from '../../platform/files/inside.ts';
import { capsuleProblem } from '../../registry/capsule-problem.ts';
import { type Capsule, leftOut } from '../../registry/capsule-store.ts';
import { loadSkills } from '../../registry/overlay/skills.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { skillRoots } from '../wiring/registry/capsule-roots.ts';
import type { LoadedCapsules } from './load-capsules.ts';

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

/**
 * Makes a function that reads the skills as they are now, and reports each skill that was left out once.
 *
 * @param capsule Whose author reads them: with one of the project, its skills need no trust either. Default: as a run.
 */
export function skillsReader({ loaded, notice }: LoadedCapsules, capsule?: Pick<Capsule, 'dir'>) {
  const reported = new Set<string>();
  return async () => {
    const { settings, project } = loaded;
    const isOfProject = capsule && isInside(join(project.folder, 'agents'), capsule.dir);
    const roots = skillRoots(settings.places, isOfProject ? trustAll(project) : project);
    const { catalogue, problems } = await loadSkills(roots);
    for (const problem of problems.filter((one) => !reported.has(one))) {
      reported.add(problem);
      notice(problem);
    }
    return catalogue;
  };
}

export const readSkills = (loaded: LoadedCapsules, capsule?: Pick<Capsule, 'dir'>) =>
  skillsReader(loaded, capsule)();

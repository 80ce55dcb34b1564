import { loadSkills, type SkillCatalogue } from '../../../registry/overlay/skills.ts';
import { skillRoots } from '../../wiring/registry/skill-roots.ts';
import type { LoadedCapsules } from '../load-capsules.ts';

/** Makes a function that reads the skills as they are now, and reports each skill that was left out once. */
export function skillsReader({ loaded, notice }: LoadedCapsules): () => Promise<SkillCatalogue> {
  const reported = new Set<string>();
  return async () => {
    const { settings, project } = loaded;
    const { catalogue, problems } = await loadSkills(skillRoots(settings.places, project));
    for (const problem of problems.filter((one) => !reported.has(one))) {
      reported.add(problem);
      notice(problem);
    }
    return catalogue;
  };
}

export const readSkills = (loaded: LoadedCapsules): Promise<SkillCatalogue> =>
  skillsReader(loaded)();

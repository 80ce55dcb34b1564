import { join } from 'node:path';
import type { Capsule } from './capsule-store.ts';
import { manifestInvalid } from './manifest/manifest-issues.ts';
import type { SkillCatalogue } from './overlay/skills.ts';

/** Why a valid capsule can't be used: a skill or a tool that does not exist, as an error. Undefined if it can be used. */
export function capsuleProblem(
  { dir, manifest }: Capsule,
  catalogue: SkillCatalogue,
  tools: ReadonlyMap<string, unknown>,
): unknown {
  const path = join(dir, 'manifest.json');
  const unknown = Object.keys(manifest.grants.tools).find((tool) => !tools.has(tool));
  if (unknown !== undefined) {
    const known = [...tools.keys()].join(', ');
    const problem = `there is no tool "${unknown}"`;
    const fix = `There are: ${known}.`;
    return manifestInvalid(path, [{ field: 'grants.tools', problem, fix }]);
  }
  try {
    for (const id of manifest.skills) catalogue.get(id, path);
    return undefined;
  } catch (error) {
    return error;
  }
}

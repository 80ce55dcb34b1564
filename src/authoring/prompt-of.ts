import { join } from 'node:path';
import { usage } from '../contract/usage.ts';
import type { Capsule } from '../registry/capsule-store.ts';
import type { TaskKind } from '../registry/manifest/manifest.ts';
import type { SkillCatalogue } from '../registry/overlay/skills.ts';
import { composePrompt, type PromptVariables } from '../registry/overlay/system-prompt.ts';
import { kindFor } from '../registry/search/route.ts';

/** The prompt of a capsule. @throws AppError `SKILL_UNKNOWN`, `TEMPLATE_INVALID`. */
export function promptOf(capsule: Capsule, skills: SkillCatalogue, variables: PromptVariables) {
  const where = join(capsule.dir, 'manifest.json');
  const named = capsule.manifest.skills.map((id) => skills.get(id, where));
  return composePrompt({ capsule, skills: named, variables });
}

/** The named task kind, or the one that a run would take. @throws AppError `USAGE` if there is none. */
export function kindOf(capsule: Capsule, named: string | undefined, hasModel: boolean): TaskKind {
  const { task_kinds } = capsule.manifest;
  const kind =
    named === undefined
      ? (kindFor(capsule, hasModel) ?? task_kinds[0])
      : task_kinds.find(({ name }) => name === named);
  if (kind) return kind;
  const names = task_kinds.map(({ name }) => name).join(', ');
  throw usage(`"${capsule.id}" has no task kind "${named}". It has: ${names}.`);
}

/** The name of every trial's workspace in prompts, if it is not a copy of the user's. */
export const TRIAL_WORKSPACE = 'workspace';

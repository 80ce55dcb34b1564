import type { Capsule } from '../../registry/capsule-store.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';
import type { SkillCatalogue } from '../../registry/overlay/skills.ts';
import { type TrialRunner, taskOfCase, tryTask } from '../trials/authored-task.ts';
import type { TrialResult } from '../trials/trial.ts';
import type { FoundCase } from './case-files.ts';

/** The outcome of a case. */
export interface TriedCase {
  readonly found: FoundCase;
  readonly kind: TaskKind;
  readonly result: TrialResult;
  /** Unmet expectations; empty if the case passed. */
  readonly problems: readonly string[];
}

/** Runs one case of a capsule and compares the outcome with its expectations. */
export async function tryCase(
  runner: TrialRunner,
  { capsule, skills }: { readonly capsule: Capsule; readonly skills: SkillCatalogue },
  found: FoundCase,
): Promise<TriedCase> {
  const task = taskOfCase(found, undefined);
  const answers = runner.isLive ? [] : task.answers;
  const tried = await tryTask(runner, { capsule, skills }, { ...task, answers });
  return { ...tried, found, problems: tried.problems ?? [] };
}

import { basename } from 'node:path';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { SkillCatalogue } from '../../registry/overlay/skills.ts';
import { promptOf } from '../prompt-of.ts';
import type { TrialRunner } from './authored-task.ts';
import type { JournaledTask } from './journaled-tasks.ts';
import type { TrialResult } from './trial.ts';
import type { TrialInputs } from './trial-inputs.ts';

interface Repetition {
  readonly capsule: Capsule;
  readonly skills: SkillCatalogue;
  /** Default: no tool is performed, and only the journal answers. */
  readonly inputs: TrialInputs | undefined;
}

/** Repeats a journaled task with its original request, under the overlay that the capsule has now. */
export async function repeatTask(
  runner: TrialRunner,
  { request, workspace, day, answers }: JournaledTask,
  { capsule, skills, inputs }: Repetition,
): Promise<TrialResult> {
  const { task_kind, mode, max_steps, model } = request.config;
  const variables = { task_kind, workspace_name: basename(workspace), today: day };
  const prompt = promptOf(capsule, skills, variables);
  const known = capsule.manifest.task_kinds.find(({ name }) => name === task_kind);
  const gone = { description: '', input_schema: {}, hint: 'balanced' } as const;
  return runner.run({
    capsule,
    kind: known ?? { ...gone, examples: [], name: task_kind, mode, max_steps },
    prompt,
    task: request.task,
    from: request,
    answers,
    hasModel: model,
    roots: [workspace],
    inputs,
  });
}

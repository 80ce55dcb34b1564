import { basename } from 'node:path';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';
import type { SkillCatalogue } from '../../registry/overlay/skills.ts';
import { promptOf } from '../prompt-of.ts';
import type { TrialRunner } from './authored-task.ts';
import type { JournaledTask } from './journaled-tasks.ts';
import type { TrialResult } from './trial.ts';
import type { TrialInputs } from './trial-inputs.ts';

export interface Repetition {
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
  const prompt = promptOf(capsule, skills, {
    task_kind,
    workspace_name: basename(workspace),
    today: day,
  });
  const kind: TaskKind = capsule.manifest.task_kinds.find(({ name }) => name === task_kind) ?? {
    name: task_kind,
    mode,
    max_steps,
    description: '',
    input_schema: {},
    examples: [],
    hint: 'balanced',
  };
  return runner.run({
    capsule,
    kind,
    prompt,
    task: request.task,
    from: request,
    answers,
    hasModel: model,
    roots: [workspace],
    inputs,
  });
}

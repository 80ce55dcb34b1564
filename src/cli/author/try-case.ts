import type { FoundCase } from '../../authoring/case-files.ts';
import type { TrialResult } from '../../authoring/trial.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';
import { type Author, kindOf, promptOf, TRIAL_WORKSPACE } from './open-author.ts';

/** A case, carried out. */
export interface TriedCase {
  readonly found: FoundCase;
  readonly kind: TaskKind;
  readonly result: TrialResult;
  /** What is not as it should be; none where it passed. */
  readonly problems: readonly string[];
}

/** Carries out one case of a capsule and judges it. */
export async function tryCase(
  author: Author,
  capsule: Capsule,
  found: FoundCase,
): Promise<TriedCase> {
  const { answersOf } = await import('../../authoring/case-files.ts');
  const { judgeCase } = await import('../../authoring/judge-case.ts');
  const { wanted, record, inputs } = found;
  const answers = author.askModel ? [] : answersOf(record);
  const hasModel = author.askModel !== undefined || answers.some(({ kind }) => kind === 'chat');
  const kind = await kindOf(capsule, wanted.task_kind, hasModel);
  const systemPrompt = await promptOf(capsule, author.skills, {
    task_kind: kind.name,
    workspace_name: TRIAL_WORKSPACE,
    today: wanted.today,
  });
  const result = await author.run({
    capsule,
    kind,
    systemPrompt,
    task: wanted.task,
    input: wanted.input,
    inputs,
    hasModel,
    answers,
    wanted: Object.keys(wanted.expect.files ?? {}),
  });
  return { found, kind, result, problems: judgeCase(wanted.expect, result) };
}

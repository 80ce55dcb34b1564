import type { Capsule } from '../../registry/capsule-store.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';
import type { SkillCatalogue } from '../../registry/overlay/skills.ts';
import { kindOf, promptOf, TRIAL_WORKSPACE } from '../prompt-of.ts';
import type { Trial, TrialResult } from '../trials/trial.ts';
import type { FoundCase } from './case-files.ts';
import { answersOf } from './case-record.ts';
import { judgeCase } from './judge-case.ts';

/** Runs trials, with a live model or with recorded answers only. */
export interface TrialRunner {
  /** Whether a live model answers. */
  readonly isLive: boolean;
  run(trial: Omit<Trial, 'askModel'>): Promise<TrialResult>;
}

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
  const { wanted, record, inputs } = found;
  const answers = runner.isLive ? [] : answersOf(record);
  const hasModel = runner.isLive || answers.some(({ kind }) => kind === 'chat');
  const kind = kindOf(capsule, wanted.task_kind, hasModel);
  const prompt = promptOf(capsule, skills, {
    task_kind: kind.name,
    workspace_name: TRIAL_WORKSPACE,
    today: wanted.today,
  });
  const result = await runner.run({
    capsule,
    kind,
    systemPrompt: prompt.systemPrompt,
    promptSkills: prompt.skills,
    task: wanted.task,
    input: wanted.input,
    inputs,
    hasModel,
    answers,
    wanted: Object.keys(wanted.expect.files ?? {}),
  });
  return { found, kind, result, problems: judgeCase(wanted.expect, result) };
}

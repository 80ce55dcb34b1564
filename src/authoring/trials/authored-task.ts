import type { Capsule } from '../../registry/capsule-store.ts';
import type { SkillCatalogue } from '../../registry/overlay/skills.ts';
import type { CapsuleCase, Expected } from '../cases/capsule-case.ts';
import type { FoundCase } from '../cases/case-files.ts';
import { judgeCase } from '../cases/judge-case.ts';
import { kindOf, promptOf, TRIAL_WORKSPACE } from '../prompt-of.ts';
import type { RecordedAnswer } from './recorded-answers.ts';
import type { Trial, TrialResult } from './trial.ts';
import type { TrialInputs } from './trial-inputs.ts';

/** Runs trials, with a live model or with recorded answers only. */
export interface TrialRunner {
  /** Whether a live model answers. */
  readonly isLive: boolean;
  run(trial: Omit<Trial, 'askModel'>): Promise<TrialResult>;
}

/** A task that the author of a capsule tries. */
export interface AuthoredTask {
  readonly task: string;
  /** Undefined: the one that a run would take. */
  readonly kindName: string | undefined;
  readonly inputs: TrialInputs;
  readonly input: CapsuleCase['input'];
  /** Undefined if it is not a case. */
  readonly expected: Expected | undefined;
  readonly workspaceName: string;
  /** `2026-11-21` */
  readonly today: string;
  /** From the record of a case, or from the last time that this task was done. */
  readonly answers: readonly RecordedAnswer[];
}

/** The task of a case. @param kindName Default: the case's own. */
export const taskOfCase = (
  { wanted, inputs, record }: FoundCase,
  kindName: string | undefined,
): AuthoredTask => ({
  task: wanted.task,
  kindName: kindName ?? wanted.task_kind,
  inputs,
  input: wanted.input,
  expected: wanted.expect,
  workspaceName: TRIAL_WORKSPACE,
  today: wanted.today,
  answers: record?.answers ?? [],
});

/** The capsule to try, and the skills that it may have. */
export interface Subject {
  readonly capsule: Capsule;
  readonly skills: SkillCatalogue;
}

/** Runs a task once. `problems`: unmet expectations of its case; empty if it passed, undefined if it is not a case. */
export async function tryTask(
  runner: TrialRunner,
  { capsule, skills }: Subject,
  { kindName, workspaceName, today, expected, answers, ...task }: AuthoredTask,
) {
  const hasModel = runner.isLive || answers.some(({ kind }) => kind === 'chat');
  const kind = kindOf(capsule, kindName, hasModel);
  const variables = { task_kind: kind.name, workspace_name: workspaceName, today };
  const prompt = promptOf(capsule, skills, variables);
  const wanted = Object.keys(expected?.files ?? {});
  const result = await runner.run({ ...task, capsule, kind, prompt, answers, hasModel, wanted });
  return { kind, result, problems: expected && judgeCase(expected, result) };
}

/** The outcome of a case. */
export type TriedCase = Awaited<ReturnType<typeof tryCase>>;

/** Runs one case of a capsule and compares the outcome with its expectations. */
export async function tryCase(runner: TrialRunner, subject: Subject, found: FoundCase) {
  const task = taskOfCase(found, undefined);
  const answers = runner.isLive ? [] : task.answers;
  const tried = await tryTask(runner, subject, { ...task, answers });
  return { ...tried, found, problems: tried.problems ?? [] };
}

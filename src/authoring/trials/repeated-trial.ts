import { overlayVersion } from '../../registry/capsule-metrics.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { SkillCatalogue } from '../../registry/overlay/skills.ts';
import type { CapsuleCase, Expected } from '../cases/capsule-case.ts';
import type { FoundCase } from '../cases/case-files.ts';
import { answersOf } from '../cases/case-record.ts';
import { judgeCase } from '../cases/judge-case.ts';
import type { TrialRunner } from '../cases/try-case.ts';
import { kindOf, promptOf, TRIAL_WORKSPACE } from '../prompt-of.ts';
import { type Difference, differenceOf } from './difference.ts';
import type { RecordedAnswer } from './recorded-answers.ts';
import type { TrialResult } from './trial.ts';
import type { TrialInputs } from './trial-inputs.ts';

/** A task that its author runs again and again. */
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
  answers: answersOf(record),
});

/** One repetition. */
export interface RepeatedRun {
  /** 1, 2, … */
  readonly number: number;
  /** SHA-256 of the overlay. */
  readonly overlay: string;
  readonly result: TrialResult;
  /** Unmet expectations of its case; undefined if it is not a case. */
  readonly problems: readonly string[] | undefined;
  /** From the previous run; undefined for the first. */
  readonly difference: Difference | undefined;
}

export interface RepeatedTrial {
  run(
    capsule: Capsule,
    given: { readonly skills: SkillCatalogue; readonly task: AuthoredTask },
  ): Promise<RepeatedRun>;
}

/** Further answers are not kept from one run to the next. */
const MAX_ANSWERS = 5_000;

/** Runs a task again and again. Each run replays the answers of earlier ones to unchanged requests. */
export function createRepeatedTrial(runner: TrialRunner): RepeatedTrial {
  let number = 0;
  let before: TrialResult | undefined;
  let known: readonly RecordedAnswer[] = [];

  return {
    async run(capsule, { skills, task: about }) {
      const answers = [...known, ...missingIn(known, about.answers)].slice(0, MAX_ANSWERS);
      const hasModel = runner.isLive || answers.some(({ kind }) => kind === 'chat');
      const kind = kindOf(capsule, about.kindName, hasModel);
      const prompt = promptOf(capsule, skills, {
        task_kind: kind.name,
        workspace_name: about.workspaceName,
        today: about.today,
      });
      const { task, inputs, input, expected } = about;
      const wanted = Object.keys(expected?.files ?? {});
      const trial = {
        capsule,
        kind,
        systemPrompt: prompt.systemPrompt,
        promptSkills: prompt.skills,
        task,
        inputs,
        input,
        answers,
        hasModel,
        wanted,
      };
      const result = await runner.run(trial);
      const difference = before && differenceOf(before, result);
      known = [...result.answers, ...missingIn(result.answers, answers)].slice(0, MAX_ANSWERS);
      before = result;
      number += 1;
      const problems = expected && judgeCase(expected, result);
      return { number, overlay: overlayVersion(capsule.overlay), result, problems, difference };
    },
  };
}

/** Answers to requests that the first ones do not cover. */
function missingIn(
  some: readonly RecordedAnswer[],
  more: readonly RecordedAnswer[],
): RecordedAnswer[] {
  const asked = new Set(some.map((answer) => answer.asked));
  return more.filter((answer) => !asked.has(answer.asked));
}

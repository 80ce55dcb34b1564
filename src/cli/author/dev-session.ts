import { join } from 'node:path';
import type { Difference } from '../../authoring/difference.ts';
import type { ToldAnswer } from '../../authoring/told-before.ts';
import type { TrialResult } from '../../authoring/trial.ts';
import { overlayVersion } from '../../registry/capsule-metrics.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { CapsulesHere } from '../commands/capsules-ground.ts';
import { devTask } from './dev-task.ts';
import { readAgain } from './find-authored.ts';
import { type Author, kindOf, promptOf } from './open-author.ts';

/** One go at the task. */
export interface DevRun {
  /** 1, 2, … */
  readonly number: number;
  /** SHA-256 of the overlay. */
  readonly overlay: string;
  readonly result: TrialResult;
  /** What of its case does not hold; undefined where it is no case. */
  readonly problems: readonly string[] | undefined;
  /** From the go before; undefined for the first. */
  readonly difference: Difference | undefined;
}

export interface DevSession {
  /** What has to be watched. */
  readonly folders: readonly string[];
  /** Reads the capsule, its skills and its case as they are now, and does the task again. */
  run(): Promise<DevRun>;
  /** Whether the task was done at least once. */
  hasBegun(): boolean;
}

/** More answers than these are not kept from one go to the next. */
const MOST_ANSWERS = 5_000;

/** The same task of one capsule, done again and again; what a go was told is told the next ones, too. */
export function createDevSession(here: CapsulesHere, author: Author, named: Capsule): DevSession {
  const { personal, loaded } = here;
  let number = 0;
  let before: TrialResult | undefined;
  let known: readonly ToldAnswer[] = [];

  async function run(): Promise<DevRun> {
    const { differenceOf } = await import('../../authoring/difference.ts');
    const { judgeCase } = await import('../../authoring/judge-case.ts');
    const capsule = await readAgain(here, named);
    const skills = await author.readSkills();
    const about = await devTask(here, capsule);
    const answers = [...known, ...missingIn(known, about.answers)].slice(0, MOST_ANSWERS);
    const hasModel = author.askModel !== undefined || answers.some(({ kind }) => kind === 'chat');
    const kind = await kindOf(capsule, about.kindName, hasModel);
    const systemPrompt = await promptOf(capsule, skills, {
      task_kind: kind.name,
      workspace_name: about.workspaceName,
      today: about.today,
    });
    const { task, inputs, input, expected } = about;
    const wanted = Object.keys(expected?.files ?? {});
    const trial = { capsule, kind, systemPrompt, task, inputs, input, answers, hasModel, wanted };
    const result = await author.run(trial);
    const difference = before && differenceOf(before, result);
    const exact = result.answers;
    known = [...exact, ...missingIn(exact, answers)].slice(0, MOST_ANSWERS);
    before = result;
    number += 1;
    const problems = expected && judgeCase(expected, result);
    return { number, overlay: overlayVersion(capsule.overlay), result, problems, difference };
  }

  const { folder } = loaded.project;
  return {
    run,
    hasBegun: () => number > 0,
    folders: [
      named.dir,
      join(personal, named.id),
      join(personal, 'skills'),
      join(folder, 'skills'),
      join(folder, 'agents/skills'),
    ],
  };
}

/** Those that answer something that the first ones do not. */
function missingIn(some: readonly ToldAnswer[], more: readonly ToldAnswer[]): ToldAnswer[] {
  const asked = new Set(some.map((answer) => answer.asked));
  return more.filter((answer) => !asked.has(answer.asked));
}

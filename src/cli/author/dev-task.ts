import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CapsuleCase } from '../../authoring/capsule-case.ts';
import type { Inputs } from '../../authoring/lay-inputs.ts';
import type { ToldAnswer } from '../../authoring/told-before.ts';
import { AppError } from '../../contract/errors.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { CapsulesHere } from '../commands/capsules-ground.ts';
import { noCase } from './no-case.ts';
import { caseFolders, TRIAL_WORKSPACE, textOption } from './open-author.ts';

/** What an author works at: one task again and again. */
export interface DevTask {
  readonly task: string;
  readonly kindName: string | undefined;
  readonly inputs: Inputs;
  readonly input: CapsuleCase['input'];
  /** Where it is a case. */
  readonly expected: CapsuleCase['expect'] | undefined;
  readonly workspaceName: string;
  readonly today: string;
  /** What is known from a record, or from the last time that this task was done. */
  readonly answers: readonly ToldAnswer[];
}

/**
 * The task of `--case`, read anew each time, or of `--task`, in a copy of the workspace.
 *
 * @throws AppError `USAGE`, `CASE_INVALID`.
 */
export async function devTask(here: CapsulesHere, capsule: Capsule): Promise<DevTask> {
  const { task, case: named, taskKind } = here.args.options;
  if ((typeof task === 'string') === (typeof named === 'string')) {
    const problem = 'Say which task: --task "…", or --case NAME for one of its cases.';
    throw new AppError('USAGE', { problem });
  }
  if (typeof named === 'string') return caseTask(here, capsule, named);
  const { settings } = here.loaded;
  const { protectionFor } = await import('../../app/wiring/protection.ts');
  return {
    task: textOption(task) ?? '',
    kindName: textOption(taskKind),
    inputs: { folder: settings.workspace, isProtected: protectionFor(settings) },
    input: undefined,
    expected: undefined,
    workspaceName: basename(settings.workspace),
    today: new Date().toISOString().slice(0, 10),
    answers: await lastAnswers(here, capsule, textOption(task) ?? ''),
  };
}

async function caseTask(here: CapsulesHere, capsule: Capsule, name: string): Promise<DevTask> {
  const { answersOf, readCases } = await import('../../authoring/case-files.ts');
  const [found] = await readCases(caseFolders(here, capsule), name);
  if (!found) throw await noCase(here, capsule, name);
  const { wanted, inputs, record } = found;
  return {
    task: wanted.task,
    kindName: textOption(here.args.options['taskKind']) ?? wanted.task_kind,
    inputs,
    input: wanted.input,
    expected: wanted.expect,
    workspaceName: TRIAL_WORKSPACE,
    today: wanted.today,
    answers: answersOf(record),
  };
}

/** How far back the same task is looked for. */
const LOOK_BACK = 50;

/** What the capsule was told when it did the same task before; nothing where it never did, or nobody can tell. */
async function lastAnswers(
  { stateDir }: CapsulesHere,
  { id }: Capsule,
  task: string,
): Promise<readonly ToldAnswer[]> {
  const path = join(stateDir, 'capstan.db');
  if (!existsSync(path)) return [];
  const { readRows } = await import('../../coordinator/read-rows.ts');
  const { journaledTasks } = await import('../../authoring/journaled-tasks.ts');
  const rows = readRows(path);
  try {
    const before = journaledTasks(rows, id, LOOK_BACK).find(({ request }) => request.task === task);
    return before?.answers ?? [];
  } finally {
    rows.close();
  }
}

import { basename, dirname, join, posix } from 'node:path';
import { caseFolders, caseUnknown, readCases } from '../../../authoring/cases/case-files.ts';
import {
  type AuthoredTask,
  type TrialRunner,
  taskOfCase,
} from '../../../authoring/trials/authored-task.ts';
import { journaledTasks } from '../../../authoring/trials/journaled-tasks.ts';
import {
  createRepeatedTrial,
  type RepeatedRun,
  type RepeatedTrial,
} from '../../../authoring/trials/repeated-trial.ts';
import { type NextSave, watchFolders } from '../../../authoring/watch-folders.ts';
import { isCasePath } from '../../../config/files/agent-folders.ts';
import { failedWith } from '../../../contract/errors.ts';
import type { Capsule } from '../../../registry/capsule-store.ts';
import type { AppContext } from '../../context/open-context.ts';
import { assertTask } from '../../runs/start/assert-task.ts';
import { protectionFor } from '../../wiring/protection.ts';
import { storesIfAny } from '../capsule-records.ts';
import { findAuthored, type LoadedCapsules, loadCapsules, readAgain } from '../load-capsules.ts';
import { upgradeShims } from '../share/upgrade-shims.ts';
import { openTrialSession, type TrialOptions, type TrialSession } from './open-trial-session.ts';

export interface DevelopOptions extends TrialOptions {
  /** A task, which works in a copy of the workspace, or the name of a case. */
  readonly subject: { readonly task: string } | { readonly case: string };
  /** Default: the case's own, or the one that a run would take. */
  readonly taskKind?: string | undefined;
}

export type DevelopEvent =
  /** A save ends this run and starts the next one. */
  | { readonly type: 'run.started' }
  | {
      readonly type: 'run.ended';
      readonly run: RepeatedRun;
      /** The files that were saved since the last run that ended, each relative to its folder. */
      readonly saved: readonly string[];
    }
  /** The capsule, its skills or its case can't be read or run. The next save may correct it. */
  | { readonly type: 'run.failed'; readonly error: unknown }
  /** Waits for the next save. */
  | { readonly type: 'watch.started'; readonly folder: string };

/**
 * Runs a task immediately, and again after each save of the capsule, its skills or its cases, until the signal is aborted.
 * A save of a text for people or of a program during a run ends it; the capsule may write other files itself.
 *
 * @throws AppError `USAGE` also if the first run fails with it, since no save corrects an argument.
 */
export async function* developCapsule(
  context: AppContext,
  named: string,
  options: DevelopOptions,
): AsyncGenerator<DevelopEvent, void> {
  if ('task' in options.subject) assertTask(options.subject.task);
  await upgradeShims(context);
  const loaded = await loadCapsules(context, options, named);
  const capsule = findAuthored(loaded, named);
  await using session = await openTrialSession(loaded, { capsule, command: 'dev' }, options);
  const closing = new AbortController();
  const signal = AbortSignal.any([session.signal, closing.signal]);
  const trial = createRepeatedTrial();
  const nextSave = watchFolders(watchedFolders(loaded, capsule), isAuthored(capsule));
  const parts = { loaded, session, capsule, options, trial, signal, nextSave };
  try {
    let saved: readonly string[] | undefined = [];
    while (saved) saved = yield* runUntilSave(parts, saved);
  } finally {
    closing.abort();
  }
}

interface Parts {
  readonly loaded: LoadedCapsules;
  readonly session: TrialSession;
  readonly capsule: Capsule;
  readonly options: DevelopOptions;
  readonly trial: RepeatedTrial;
  readonly signal: AbortSignal;
  readonly nextSave: NextSave;
}

/**
 * Runs the task once and waits for the next save, which also ends the run.
 *
 * @param saved The files saved since the last run that ended; empty for the first run.
 * @returns The same for the next run; undefined if the signal was aborted.
 */
async function* runUntilSave(
  parts: Parts,
  saved: readonly string[],
): AsyncGenerator<DevelopEvent, readonly string[] | undefined> {
  const { loaded, session, capsule, signal, nextSave } = parts;
  yield { type: 'run.started' };
  const outdated = new AbortController();
  let isRunning = true;
  const saving = nextSave(signal, () => isRunning).then((files) => {
    if (files) outdated.abort();
    return files;
  });
  const event = await runOnce(parts, session.runnerUntil(outdated.signal), saved);
  isRunning = false;
  const isUsage = event.type === 'run.failed' && failedWith(event.error, 'USAGE');
  if (isUsage && saved.length === 0) throw event.error;
  const isOver = signal.aborted || outdated.signal.aborted;
  if (event.type === 'run.ended' || !isOver) yield event;
  if (!isOver) yield { type: 'watch.started', folder: folderInForce(loaded, capsule) };
  const files = await saving;
  return files && event.type !== 'run.ended' ? [...new Set([...saved, ...files])] : files;
}

/** Reads the capsule, its skills and its case as they are now, and runs the task. */
async function runOnce(
  { loaded, session, capsule: named, options, trial }: Parts,
  runner: TrialRunner,
  saved: readonly string[],
): Promise<Extract<DevelopEvent, { type: 'run.ended' | 'run.failed' }>> {
  try {
    const capsule = readAgain(loaded, named);
    const skills = await session.readSkills();
    const task = await taskOf(loaded, capsule, options);
    const run = await trial(runner, { capsule, skills }, task);
    return { type: 'run.ended', run, saved };
  } catch (error) {
    return { type: 'run.failed', error };
  }
}

/** The folder of the instructions as they are now: the person's own for a shipped capsule that has an overlay there. */
function folderInForce(loaded: LoadedCapsules, named: Capsule): string {
  try {
    const { overlay, dir } = readAgain(loaded, named);
    return overlay ? dirname(overlay.path) : dir;
  } catch {
    return named.dir;
  }
}

function watchedFolders({ personal, loaded }: LoadedCapsules, { id, dir }: Capsule): string[] {
  const { folder } = loaded.project;
  return [
    dir,
    join(personal, id),
    join(personal, 'skills'),
    join(folder, 'skills'),
    join(folder, 'agents/skills'),
  ];
}

/** Whether a file is one that authors write, and no data that the capsule may write while it runs. */
const isAuthored =
  ({ manifest }: Capsule) =>
  (path: string): boolean =>
    isCasePath(path) ||
    path === 'manifest.json' ||
    manifest.entrypoint.some((word) => posix.normalize(word) === path) ||
    /\.(?:md|ya?ml|[cm]?[jt]sx?|py|sh|rb|pl|php|lua)$/.test(path);

async function taskOf(
  { context, loaded, personal }: LoadedCapsules,
  capsule: Capsule,
  { subject, taskKind }: DevelopOptions,
): Promise<AuthoredTask> {
  if ('case' in subject) {
    const [found] = await readCases(caseFolders(personal, capsule), subject.case);
    if (!found) throw caseUnknown(personal, capsule, subject.case);
    return taskOfCase(found, taskKind);
  }
  const { settings } = loaded;
  return {
    task: subject.task,
    kindName: taskKind,
    inputs: { folder: settings.workspace, isProtected: protectionFor(settings) },
    input: undefined,
    expected: undefined,
    workspaceName: basename(settings.workspace),
    today: context.now().toISOString().slice(0, 10),
    answers: await lastAnswers(context, capsule, subject.task),
  };
}

/** Number of earlier tasks among which the same one is looked for. */
const MAX_EARLIER_TASKS = 50;

/** The answers that the capsule got when it did the same task before. */
async function lastAnswers(context: AppContext, { id }: Capsule, task: string) {
  const stores = await storesIfAny(context);
  const earlier = stores ? journaledTasks(stores, id, MAX_EARLIER_TASKS) : [];
  return earlier.find(({ request }) => request.task === task)?.answers ?? [];
}

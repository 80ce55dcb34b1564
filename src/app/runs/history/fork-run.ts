import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import type { IntentStatus } from '../../../contract/intent.ts';
import { usage } from '../../../contract/usage.ts';
import { findRunToChange } from '../../../coordinator/store/runs/find-run.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import { expectedEffects, findFiles, isAsExpected } from '../../../history/fork/fork-files.ts';
import { findForkPoint } from '../../../history/fork/fork-point.ts';
import { forkRun as forkRecord } from '../../../history/fork/fork-run.ts';
import type { AppContext } from '../../context/open-context.ts';
import { type RunSummary, runSummary } from '../show/run-summary.ts';

/** A request of a run, which a fork may share as its last one. */
export interface RunRequest {
  readonly id: string;
  /** Counts from 1. */
  readonly number: number;
  /** Empty for the coordinator's own calls. */
  readonly subtaskId: string;
  readonly name: string;
  readonly target: string;
  readonly status: IntentStatus;
}

export interface ForkOptions {
  /** Id of the run to fork. */
  readonly run: string;
  /** The last request of the shared history: its number or id. */
  readonly at: string;
  /** The folder that the fork works in. It must exist; its files are not rewound. */
  readonly workspace: string;
  /** Forks although files of the workspace differ from the shared history. Default: no. */
  readonly force?: boolean | undefined;
}

/** The effects of the shared history, and whether the workspace still has them. */
export interface ForkPreview {
  readonly runId: string;
  /** Number of the last shared request. */
  readonly at: number;
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  readonly files: readonly ForkFile[];
  /** Effects that can't be checked by looking at a file. */
  readonly others: readonly { readonly name: string; readonly target: string }[];
}

export interface ForkFile {
  /** Absolute, in the fork's workspace. */
  readonly path: string;
  /** SHA-256, or `absent`; null if it is not known. */
  readonly expected: string | null;
  /** SHA-256, or `absent`. */
  readonly found: string;
  readonly isAsExpected: boolean;
}

/** @throws AppError `RUN_UNKNOWN`; `USAGE` if it is still running. */
export async function listRequests(context: AppContext, runId: string) {
  const { runs, journal } = await context.stores();
  return journal
    .intentsOf(endedRun(findRunToChange(runs, runId)).id)
    .map(({ id, subtaskId, name, target, status }, index) => ({
      ...{ id, subtaskId, name, target, status },
      number: index + 1,
    }));
}

/** @throws AppError `RUN_UNKNOWN`, `USAGE`. */
export async function previewFork(context: AppContext, options: ForkOptions): Promise<ForkPreview> {
  const prepared = await prepareFork(context, options);
  return previewOf(prepared);
}

/** Implements `runs.fork`. */
export async function forkRun(context: AppContext, options: ForkOptions): Promise<RunSummary> {
  const prepared = await prepareFork(context, options);
  const { run, point, workspace, expected } = prepared;
  const { files } = await previewOf(prepared);
  const different = files.filter((file) => !file.isAsExpected).length;
  if (different > 0 && options.force !== true) {
    throw new AppError('FORK_FILES_DIFFER', { workspace, files: different });
  }
  const stores = await context.stores();
  const forked = forkRecord(stores, { run, point, workspace, files: expected.files });
  return runSummary(stores, forked);
}

type PreparedFork = Awaited<ReturnType<typeof prepareFork>>;

async function prepareFork(context: AppContext, options: ForkOptions) {
  const { runs, journal } = await context.stores();
  const run = endedRun(findRunToChange(runs, options.run));
  const workspace = existingFolder(options.workspace, context.cwd);
  const point = findForkPoint(journal.intentsOf(run.id), options.at);
  return { run, point, workspace, expected: expectedEffects(point, run, workspace) };
}

async function previewOf(prepared: PreparedFork): Promise<ForkPreview> {
  const { run, point, workspace, expected } = prepared;
  const files = await findFiles(expected.files);
  return {
    runId: run.id,
    at: point.number,
    workspace,
    files: files.map((file) => ({
      path: file.path,
      expected: file.sha256,
      found: file.found,
      isAsExpected: isAsExpected(file),
    })),
    others: expected.others.map(({ name, target }) => ({ name, target })),
  };
}

function endedRun(run: RunRecord): RunRecord {
  if (run.status !== 'running' && run.status !== 'pending') return run;
  throw usage(`Run ${run.id} is still running.`);
}

function existingFolder(folder: string, cwd: string): string {
  const path = resolve(cwd, folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(path);
  throw usage(`"${folder}" is not a folder.`);
}

import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import type { IntentStatus } from '../../../contract/intent.ts';
import { usage } from '../../../contract/usage.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import { findRunToChange } from '../../../coordinator/store/runs/find-run.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import { expectedEffects, findFiles, isAsExpected } from '../../../history/fork/fork-files.ts';
import { findForkPoint } from '../../../history/fork/fork-point.ts';
import { forkRun as forkRecord } from '../../../history/fork/fork-run.ts';
import type { AppContext } from '../../context/open-context.ts';
import { assertNotRunning } from '../find-run.ts';
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
export async function listRequests(
  context: AppContext,
  runId: string,
): Promise<readonly RunRequest[]> {
  const stores = await context.stores();
  return stores.journal
    .intentsOf(endedRun(stores, runId).id)
    .map(({ id, subtaskId, name, target, status }, index) => {
      return { id, number: index + 1, subtaskId, name, target, status };
    });
}

export const previewFork = async (context: AppContext, options: ForkOptions) =>
  previewOf(await prepareFork(context, options));

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

async function prepareFork(context: AppContext, options: ForkOptions) {
  const stores = await context.stores();
  const run = endedRun(stores, options.run);
  const workspace = existingFolder(options.workspace, context.cwd);
  const point = findForkPoint(stores.journal.intentsOf(run.id), options.at);
  return { run, point, workspace, expected: expectedEffects(point, run, workspace) };
}

async function previewOf({
  run,
  point,
  workspace,
  expected,
}: Awaited<ReturnType<typeof prepareFork>>): Promise<ForkPreview> {
  const files = await findFiles(expected.files);
  return {
    runId: run.id,
    at: point.number,
    workspace,
    files: files.map((file) => {
      const { path, sha256: expected, found } = file;
      return { path, expected, found, isAsExpected: isAsExpected(file) };
    }),
    others: expected.others.map(({ name, target }) => ({ name, target })),
  };
}

function endedRun({ runs }: Pick<Stores, 'runs'>, id: string): RunRecord {
  const run = findRunToChange(runs, id);
  assertNotRunning(run);
  return run;
}

function existingFolder(folder: string, cwd: string): string {
  const path = resolve(cwd, folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(path);
  throw usage(`"${folder}" is not a folder.`);
}

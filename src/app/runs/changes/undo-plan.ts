import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  createChangeRows,
  createUndoRows,
  type UndoRow,
} from '../../../broker/changes/change-rows.ts';
import { type ContentStore, contentStoreOf } from '../../../broker/changes/content-store.ts';
import {
  decideRedo,
  decideUndo,
  type FileChange,
  type LeftOut,
  type UndoAction,
  type UndoDecision,
} from '../../../broker/changes/file-change.ts';
import { usage } from '../../../contract/usage.ts';
import { isAlive, ownIdentity } from '../../../coordinator/life/process-identity.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import { isInside } from '../../../platform/files/inside.ts';
import type { InspectedFile } from '../../../tools/files/path-state.ts';
import { resolveExisting } from '../../../tools/files/paths.ts';
import { removeAbandoned } from '../../../tools/files/temporary-file.ts';
import { assertNotRunning } from '../find-run.ts';
import {
  type DiffContext,
  gapsOf,
  type OutsideEffect,
  outsideEffects,
  type RunDiff,
  seeRow,
} from './diff-run.ts';

/** The plan of an undo. */
export interface UndoPlan {
  readonly run_id: string;
  readonly workspace: string;
  /** `redo` takes an undo back. */
  readonly action: 'undo' | 'redo';
  /** By path. */
  readonly steps: readonly UndoStep[];
  /** Files that stay as they are, and why. */
  readonly left_out: readonly { readonly path: string; readonly reason: LeftOut }[];
  /** Operations beyond the files of the workspace, which stay. */
  readonly not_undoable: readonly OutsideEffect[];
  /** Why programs may have changed files that are not listed. */
  readonly gaps: RunDiff['gaps'];
}

/** `restore`: the content before. `remove`: created by the run. `recreate`: deleted by the run. */
export interface UndoStep {
  /** Relative to the workspace. */
  readonly path: string;
  readonly action: UndoAction;
  /** It changed while a command ran that did not name it: perhaps the person changed it. */
  readonly perhaps_by_others?: true;
}

/** A step with the inputs to perform it. */
export interface PlannedStep {
  readonly row: FileChange;
  readonly now: InspectedFile;
  readonly action: UndoAction;
  /** The content to make: a SHA-256, or `absent`. */
  readonly to: string;
  readonly mode: number | null;
}

export type Planned = Awaited<ReturnType<typeof planUndo>>;

export interface UndoContext extends DiffContext {
  readonly stores: DiffContext['stores'] & Pick<Stores, 'runs' | 'audit' | 'now'>;
  /** Maximum stored content of a run, in bytes; its undos may store the same amount of replaced content. */
  readonly maxBytes: number;
  /** True: an undo leaves out what the person may have changed while a command ran. Default: false. */
  readonly onlyOwn?: boolean | undefined;
}

/**
 * Decides file by file what an undo, or a redo, does now. Changes nothing.
 *
 * @throws AppError `USAGE` if the run is running, or its workspace no longer exists.
 */
export async function planUndo(context: UndoContext, action: UndoPlan['action']) {
  const { stores, run, stateDir } = context;
  assertUndoable(run);
  const content = contentStoreOf(stateDir, run.id);
  let bytesLeft = undoBytesLeft(content, context.maxBytes);
  const steps: PlannedStep[] = [];
  const leftOut: { path: string; reason: LeftOut }[] = [];
  const rows = createChangeRows(stores.db);
  for (const row of rows.of(run.id)) {
    const now = await seeRow(row);
    const decision = decide({ row, now, content, bytesLeft }, action, context);
    if (decision.kind === 'do') steps.push({ row, now, ...decision });
    if (decision.kind === 'do' && !content.has(now.state)) bytesLeft -= now.bytes;
    if (decision.kind === 'leave')
      leftOut.push({ path: shownIn(run, row), reason: decision.reason });
  }
  const plan: UndoPlan = {
    run_id: run.id,
    workspace: run.workspace,
    action,
    steps: steps.map((step) => shownStep(step, action, run)),
    left_out: leftOut,
    not_undoable: outsideEffects(stores.journal, run),
    gaps: gapsOf(run.id, rows),
  };
  return { plan: stores.redactor.redact(plan), steps };
}

function shownStep({ row, action }: PlannedStep, of: UndoPlan['action'], run: RunRecord) {
  const step: UndoStep = { path: shownIn(run, row), action };
  return of === 'undo' && isUncertain(row) ? { ...step, perhaps_by_others: true as const } : step;
}

const isUncertain = ({ problem }: FileChange): boolean => problem === 'changed_during_command';

export const shownIn = ({ workspace }: RunRecord, { path }: FileChange): string =>
  relative(workspace, path);

interface Seen {
  readonly row: FileChange;
  readonly now: InspectedFile;
  readonly content: ContentStore;
  /** Bytes of replaced content that can still be stored. */
  readonly bytesLeft: number;
}

function decide(
  { row, now, content, bytesLeft }: Seen,
  action: UndoPlan['action'],
  context: UndoContext,
): UndoDecision {
  const decision = (action === 'undo' ? decideUndo : decideRedo)(row, now, content.has);
  if (decision.kind !== 'do') return decision;
  if (context.isProtected(row.path, 'write')) return { kind: 'leave', reason: 'protected' };
  if (context.onlyOwn && action === 'undo' && isUncertain(row))
    return { kind: 'leave', reason: 'changed_during_command' };
  const isOver = now.bytes > bytesLeft && !content.has(now.state);
  return isOver ? { kind: 'leave', reason: 'over_limit' } : decision;
}

/** Bytes of replaced content that an undo can keep, after those that the run and earlier undos keep. */
export const undoBytesLeft = (content: ContentStore, maxBytes: number): number =>
  Math.max(0, Math.min(maxBytes, 2 * maxBytes - content.bytes()));

export function assertUndoable(run: RunRecord): void {
  assertNotRunning(run);
  const { id, workspace } = run;
  if (!existsSync(workspace))
    throw usage(`The workspace of run ${id} no longer exists: ${workspace}`);
}

/** Ids of undos that this process performs now. */
export const undosUnderWay = new Set<string>();

/**
 * Closes undos of the run whose process died, and removes the temporary files that they left.
 *
 * @throws AppError `USAGE` if the run is being undone now.
 */
export function endCutOffUndos({ stores, run }: UndoContext): void {
  const { db, journal, audit } = stores;
  const undos = createUndoRows(db);
  const now = stores.now();
  for (const undo of undos.openOf(run.id)) {
    const isOwn = undo.owner === ownIdentity();
    if (isOwn ? undosUnderWay.has(undo.id) : isAlive(undo.owner, null, now))
      throw usage(`Run ${run.id} is being undone. Wait until that has ended.`);
    if (!isOwn) removeTemporaryFiles(undo, run.workspace);
    journal.commit(() => {
      undos.end(undo.id, undo.files, now.toISOString());
      const { action, id: ref, doneBy: actor } = undo;
      const detail = { files: undo.files };
      audit.append({ actor, action: `run.${action}_cut_off`, runId: run.id, ref, detail });
    });
  }
}

function removeTemporaryFiles({ owner, files }: UndoRow, workspace: string): void {
  const pid = Number.parseInt(owner, 10);
  const folders = new Set(files.map(({ path }) => dirname(join(workspace, path))));
  for (const folder of folders) {
    if (isInside(workspace, resolveExisting(folder))) removeAbandoned(folder, pid);
  }
}

import { dirname, join } from 'node:path';
import { createChangeRows, createUndoRows } from '../../../broker/changes/change-rows.ts';
import {
  type ContentStore,
  contentStoreOf,
  type NotKept,
} from '../../../broker/changes/content-store.ts';
import { AppError, messageOf } from '../../../contract/errors.ts';
import { ownIdentity } from '../../../coordinator/life/process-identity.ts';
import { uuidv7 } from '../../../db/uuidv7.ts';
import { isInside } from '../../../platform/files/inside.ts';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import type { FileCall } from '../../../tools/define/call.ts';
import { ABSENT } from '../../../tools/files/path-state.ts';
import { openFile } from '../../../tools/files/paths.ts';
import { createParents, removeFile, writeFile } from '../../../tools/files/write-file.ts';
import { personAt } from '../../calls/assert-actor.ts';
import {
  assertUndoable,
  endCutOffUndos,
  type Planned,
  type PlannedStep,
  planUndo,
  shownIn,
  type UndoContext,
  type UndoPlan,
  type UndoStep,
  undoBytesLeft,
  undosUnderWay,
} from './undo-plan.ts';

export interface UndoOptions {
  /** The surface that a person uses: `cli`, `dashboard`, …. For the audit. */
  readonly by: string;
  /** True: takes the undo of this run back. Default: false. */
  readonly redo?: boolean;
  /** True: only plans. Default: false. */
  readonly dryRun?: boolean;
  /** True: leaves out files that the person may have changed while a command ran. Default: false. */
  readonly onlyOwn?: boolean;
  /** Is asked with the plan before anything changes; false declines. Default: no question. */
  readonly confirm?: (plan: UndoPlan) => boolean | Promise<boolean>;
}

export interface UndoResult extends UndoPlan {
  /** `nothing`: there is nothing to do. `incomplete`: some steps failed. */
  readonly status: 'planned' | 'declined' | 'nothing' | 'done' | 'incomplete';
  readonly done: readonly UndoStep[];
  readonly failed: readonly (UndoStep & { readonly code: string; readonly message: string })[];
}

/**
 * Undoes the changes of a run, or redoes them. Each file is replaced atomically, and its replaced content is
 * kept. An interrupted undo is completed by calling it again.
 *
 * @throws AppError `USAGE` if the run is running or is being undone, its workspace no longer exists, or `by` is reserved.
 */
export async function undoRun(context: UndoContext, options: UndoOptions): Promise<UndoResult> {
  const by = context.stores.redactor.redact(personAt(options.by));
  const { redo = false, dryRun = false, onlyOwn, confirm = () => true } = options;
  if (!dryRun) endCutOffUndos(context);
  const planned = await planUndo({ ...context, onlyOwn }, redo ? 'redo' : 'undo');
  const { plan } = planned;
  const end = { ...plan, done: [], failed: [] };
  if (dryRun) return { ...end, status: 'planned' };
  if (plan.steps.length === 0) return { ...end, status: 'nothing' };
  if (!(await confirm(plan))) return { ...end, status: 'declined' };
  return perform(planned, by, context);
}

/** The result of one step. */
interface Outcome {
  readonly step: PlannedStep;
  readonly error?: unknown;
}

async function perform({ plan, steps }: Planned, by: string, context: UndoContext) {
  const content = contentStoreOf(context.stateDir, context.run.id);
  const { kept, refused } = await keepReplaced(steps, content, context);
  const id = uuidv7();
  begin({ id, by, plan }, kept, context);
  undosUnderWay.add(id);
  try {
    const outcomes = [...refused];
    for (const step of kept) {
      const error = await performStep(step, content, context).catch((thrown: unknown) => thrown);
      outcomes.push({ step, error });
    }
    return end({ id, by, plan }, outcomes, context);
  } finally {
    undosUnderWay.delete(id);
  }
}

/** Stores all content that will be replaced before replacing any of it, so that it can be restored. */
async function keepReplaced(
  steps: readonly PlannedStep[],
  content: ContentStore,
  context: UndoContext,
) {
  const kept: PlannedStep[] = [];
  const refused: Outcome[] = [];
  let bytesLeft = undoBytesLeft(content, context.maxBytes);
  for (const step of steps) {
    if (step.now.state === ABSENT || content.has(step.now.state)) {
      kept.push(step);
      continue;
    }
    try {
      const { state, bytes } = await keepFile(step, content, { bytesLeft, context });
      bytesLeft -= bytes;
      kept.push({ ...step, now: { ...step.now, state } });
    } catch (error) {
      refused.push({ step, error });
    }
  }
  return { kept, refused };
}

/** @throws AppError `TOOL_FAILED`, `FILE_CHANGED`, and what opening the file throws. */
async function keepFile(
  { row, now }: PlannedStep,
  content: ContentStore,
  { bytesLeft, context }: { readonly bytesLeft: number; readonly context: UndoContext },
): Promise<{ readonly state: string; readonly bytes: number }> {
  using file = await openFile(row.path, callFor(row.path, context));
  const { holdsSecret } = context.stores.redactor;
  const kept = await content.keep(file.fd, { maxBytes: bytesLeft, holdsSecret });
  if (typeof kept === 'string')
    throw new AppError('TOOL_FAILED', { tool: 'undo', problem: refusals[kept] });
  const isOther = !now.state.startsWith('stat:') && kept.sha256 !== now.state;
  if (isOther) throw new AppError('FILE_CHANGED', { path: shownIn(context.run, row) });
  return { state: kept.sha256, bytes: kept.bytes };
}

/** Stores content that is about to be replaced, so that it can be restored. */
const refusals: Readonly<Record<NotKept, string>> = {
  over_limit: 'its content does not fit into CAPSTAN_UNDO_MB, so it could not be restored',
  holds_secret:
    'a known secret is in its content, which is not copied, so it could not be restored',
};

const { signal } = new AbortController();

/** Opens the file and the folders on its way. One that became a link leads to another path, which is closed. */
const callFor = (path: string, { run, isProtected }: UndoContext): FileCall => ({
  tool: 'undo',
  context: {
    workspace: run.workspace,
    signal,
    isProtected: (real, access) => !isInside(real, path) || isProtected(real, access),
    isGranted: (real) => real === path,
  },
});

async function performStep(
  { row, now, action, to, mode }: PlannedStep,
  content: ContentStore,
  context: UndoContext,
): Promise<void> {
  const call = callFor(row.path, context);
  if (action === 'remove') return removeFile(row.path, now.state, call);
  const made = content.read(to);
  if (made === undefined || sha256(made) !== to)
    throw new AppError('TOOL_FAILED', { tool: 'undo', problem: 'the kept content is damaged' });
  await writeFile(row.path, made, call, { seen: now.state, mode: mode ?? undefined });
  if (!row.path.endsWith('/.git/HEAD')) return;
  // Git needs these folders, which may be empty: without a commit, or if all branches are packed.
  for (const name of ['objects', 'refs']) {
    const folder = join(dirname(row.path), name);
    await createParents(folder, callFor(folder, context));
  }
}

interface Undo {
  readonly id: string;
  readonly by: string;
  readonly plan: UndoPlan;
}

/** One commit before the first file changes. */
function begin(
  { id, by, plan }: Undo,
  steps: readonly PlannedStep[],
  { stores, run }: UndoContext,
): void {
  const { db, journal, audit, runs } = stores;
  const startedAt = stores.now().toISOString();
  const rows = createChangeRows(db);
  const files = steps.map(({ row, now, action, to }) => {
    return { path: shownIn(run, row), action, from: now.state, to };
  });
  const { action } = plan;
  journal.commit(() => {
    assertUndoable(runs.find(run.id) ?? run);
    for (const { row, now } of action === 'undo' ? steps : [])
      rows.put({ ...row, after: now.state, undoneAt: startedAt });
    const about = { id, runId: run.id, action, doneBy: by, owner: ownIdentity() };
    createUndoRows(db).begin(stores.redactor.redact({ ...about, files, startedAt }));
    const detail = { files };
    audit.append({ actor: by, action: `run.${action}_started`, runId: run.id, ref: id, detail });
  });
}

/** Marks the changed rows as undone or as in force, and ends the undo. */
function end({ id, by, plan }: Undo, outcomes: readonly Outcome[], { stores, run }: UndoContext) {
  const { db, journal, audit } = stores;
  const rows = createChangeRows(db);
  const result = resultOf(outcomes, plan, { stores, run });
  const detail = { done: result.done, failed: result.failed };
  journal.commit(() => {
    for (const { step, error } of outcomes) {
      const isInForce = (plan.action === 'undo') === (error !== undefined);
      const row = rows.find(run.id, step.row.path);
      if (row && isInForce) rows.put({ ...row, undoneAt: null });
    }
    createUndoRows(db).end(id, [...result.done, ...result.failed], stores.now().toISOString());
    const action = plan.action === 'undo' ? 'run.undone' : 'run.redone';
    audit.append({ actor: by, action, runId: run.id, ref: id, detail });
  });
  return result;
}

function resultOf(
  outcomes: readonly Outcome[],
  plan: UndoPlan,
  { stores, run }: Pick<UndoContext, 'stores' | 'run'>,
): UndoResult {
  const shown = ({ row, action }: PlannedStep): UndoStep => ({ path: shownIn(run, row), action });
  const failed = outcomes.flatMap(({ step, error }) =>
    error === undefined ? [] : [{ ...shown(step), ...problemOf(error) }],
  );
  const done = outcomes.flatMap(({ step, error }) => (error === undefined ? [shown(step)] : []));
  const status = failed.length === 0 ? 'done' : 'incomplete';
  return stores.redactor.redact({ ...plan, status, done, failed });
}

const problemOf = (error: unknown) => ({
  code: error instanceof AppError ? (error as AppError).code : 'TOOL_FAILED',
  message: messageOf(error),
});

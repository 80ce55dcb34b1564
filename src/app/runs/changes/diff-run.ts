import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import {
  type ChangeRows,
  createChangeRows,
  type GapReason,
} from '../../../broker/changes/change-rows.ts';
import { type ContentStore, contentStoreOf } from '../../../broker/changes/content-store.ts';
import {
  afterOf,
  decideUndo,
  type FileChange,
  type LeftOut,
  type NetChange,
  netChange,
  type UndoDecision,
} from '../../../broker/changes/file-change.ts';
import { type FileEffect, fileEffectsOf, hadEffect } from '../../../broker/intent/record.ts';
import type { IntentRecord } from '../../../contract/intent.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import { applyTextDiff, textDiff } from '../../../platform/text/text-diff.ts';
import type { FileCall } from '../../../tools/define/call.ts';
import type { Effects } from '../../../tools/define/traits.ts';
import {
  ABSENT,
  type InspectedFile,
  inspectFile,
  isHash,
} from '../../../tools/files/path-state.ts';
import { openFile } from '../../../tools/files/paths.ts';
import { toolOf } from '../../../tools/toolbox.ts';
import { aboutIntent, type EffectDocument } from '../show/run-account.ts';

/** The changes of a run, from the first content of each file to the last. */
export interface RunDiff {
  readonly run_id: string;
  readonly workspace: string;
  readonly status: string;
  /** By path. A file that was changed and changed back is not among them. */
  readonly files: readonly FileDiff[];
  /** Operations that can't be undone. */
  readonly not_undoable: readonly OutsideEffect[];
  /** False: programs may have changed files that are not listed; `gaps` says why. */
  readonly complete: boolean;
  readonly gaps: readonly { readonly intent_id: string; readonly reason: GapReason }[];
}

export interface FileDiff {
  /** Relative to the workspace. In a name that is not UTF-8, `\xHH` is a byte. */
  readonly path: string;
  readonly change: NetChange;
  /** The subtask that changed it last. */
  readonly made_by: string;
  /** Whether a tool of Capstan wrote it, or a program that a command started. */
  readonly kind: 'tool' | 'program';
  readonly undoable: boolean;
  /** Why it is not undoable; null if it is. */
  readonly reason: LeftOut | 'already_undone' | null;
  /** Unified, without secrets; null if there is none to show. */
  readonly diff: string | null;
  /** Why there is no difference; null if there is one. */
  readonly diff_problem: DiffProblem | null;
  /** SHA-256; null if there was no file, or its content is not known. */
  readonly before_sha256: string | null;
  readonly after_sha256: string | null;
  /** Permission bits; null if they are not known. */
  readonly before_mode: number | null;
  readonly after_mode: number | null;
  /** The file now, compared with its state at the end of the run. `undone`: the change was undone, whatever came after that. */
  readonly now: 'same' | 'changed_since' | 'missing' | 'undone';
  /** When its change was undone, ISO 8601; null if it was not, or was redone. */
  readonly undone_at: string | null;
}

type DiffProblem = 'binary' | 'too_large' | 'not_kept' | 'changed_since' | 'limit';

export interface DiffContext {
  readonly stores: Pick<Stores, 'db' | 'journal' | 'redactor'>;
  readonly stateDir: string;
  readonly run: RunRecord;
  isProtected(path: string, access: 'read' | 'write'): boolean;
}

/** Characters of all differences of a run. */
const MAX_DIFF_CHARS = 4 * 1024 * 1024;
/** Larger files are not read: `textDiff` does not compare them. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Compares the files that a run changed with their content before the run, and with their current content. */
export async function diffRun(context: DiffContext): Promise<RunDiff> {
  const { stores, run } = context;
  const rows = createChangeRows(stores.db);
  const content = contentStoreOf(context.stateDir, run.id);
  const files: FileDiff[] = [];
  let chars = 0;
  let effects: readonly FileEffect[] | undefined;
  const recorded = () => {
    effects ??= recordedEffects(run.id, stores.journal);
    return effects;
  };
  for (const row of rows.of(run.id)) {
    const file = await fileDiff(row, content, { ...context, recorded });
    if (file === undefined) continue;
    chars += file.diff?.length ?? 0;
    const isOver = file.diff !== null && chars > MAX_DIFF_CHARS;
    files.push(isOver ? { ...file, diff: null, diff_problem: 'limit' } : file);
  }
  const gaps = gapsOf(run.id, rows);
  return stores.redactor.redact({
    run_id: run.id,
    workspace: run.workspace,
    status: run.status,
    files,
    not_undoable: outsideEffects(stores.journal, run),
    complete: gaps.length === 0,
    gaps,
  });
}

/** Why the changes of a run may not all be known. */
export const gapsOf = (runId: string, rows: ChangeRows) =>
  rows.gapsOf(runId).map(({ intentId, reason }) => ({ intent_id: intentId, reason }));

/** The current file of a row. */
export const seeRow = ({ path, after, before }: FileChange): Promise<InspectedFile> =>
  inspectFile(path, after ?? before);

interface FileContext extends DiffContext {
  /** The changes that the journal has, which is read when first needed. */
  recorded(): readonly FileEffect[];
}

async function fileDiff(
  row: FileChange,
  content: ContentStore,
  context: FileContext,
): Promise<FileDiff | undefined> {
  const now = await seeRow(row);
  const after = afterOf(row, now.state);
  // Of an interrupted operation: its possible result.
  const change =
    after === null ? netChange({ ...row, afterMode: now.mode }, now.state) : netChange(row, after);
  if (change === undefined) return undefined;
  const decision = decideUndo(row, now, content.has);
  const before = beforeOf(row, content);
  const sides = { before, after: await afterContent(row, now, content, context) };
  return {
    path: relative(context.run.workspace, row.path),
    change,
    made_by: row.subtaskId,
    kind: row.kind,
    undoable: decision.kind === 'do',
    reason: reasonOf(decision),
    ...diffOf(row, sides, context),
    before_sha256: isHash(row.before) ? row.before : null,
    after_sha256: after !== null && isHash(after) ? after : null,
    before_mode: row.beforeMode,
    after_mode: row.afterMode,
    now: nowOf(row, after, now),
    undone_at: row.undoneAt,
  };
}

function reasonOf(decision: UndoDecision): LeftOut | 'already_undone' | null {
  if (decision.kind === 'leave') return decision.reason;
  return decision.kind === 'nothing' ? 'already_undone' : null;
}

function nowOf(row: FileChange, after: string | null, now: InspectedFile): FileDiff['now'] {
  if (now.state === after && (row.afterMode === null || now.mode === row.afterMode)) return 'same';
  if (row.undoneAt !== null) return 'undone';
  return now.state === ABSENT ? 'missing' : 'changed_since';
}

/** The content; undefined: there is no file; else why it can't be shown. */
type Side = Buffer | undefined | 'not_kept' | 'changed_since' | 'too_large';

const beforeOf = (row: FileChange, content: ContentStore): Side =>
  row.before === ABSENT ? undefined : (content.read(row.before) ?? 'not_kept');

/** The content after the run: from the file if it is unchanged since, else from the copy that an undo made, or as recorded. */
async function afterContent(
  row: FileChange,
  now: InspectedFile,
  content: ContentStore,
  context: FileContext,
): Promise<Side> {
  const { run, isProtected } = context;
  const after = afterOf(row, now.state);
  if (after === ABSENT) return undefined;
  if (after === null) return 'not_kept';
  if (now.state !== after) return pastContent(row, after, content, context);
  if (!isHash(after) || now.bytes > MAX_FILE_BYTES) return 'too_large';
  const { signal } = new AbortController();
  const call: FileCall = {
    tool: 'diff',
    context: { workspace: run.workspace, signal, isProtected },
  };
  using file = await openFile(row.path, call).catch(() => undefined);
  return file === undefined ? 'not_kept' : readFileSync(file.fd);
}

/** The content after the run of a file that has another one now. */
function pastContent(
  row: FileChange,
  after: string,
  content: ContentStore,
  { recorded }: FileContext,
): Side {
  const kept = content.read(after);
  const before = beforeOf(row, content);
  if (kept || typeof before === 'string') return kept ?? before;
  const file = { path: row.path, before, after };
  return recordedContent(file, recorded()) ?? 'changed_since';
}

/**
 * The content of a file after a run, made from its content before and the recorded differences; undefined if a program changed
 * it, or a difference was not recorded in full.
 *
 * @param file `before`: undefined if there was no file. `after`: SHA-256.
 */
function recordedContent(
  { path, before, after }: { path: string; before: Buffer | undefined; after: string },
  effects: readonly FileEffect[],
): Buffer | undefined {
  const content = effects.filter((effect) => effect.path === path).reduce(applied, before);
  return content && sha256(content) === after ? content : undefined;
}

/** The recorded changes of files by a run. */
const recordedEffects = (runId: string, journal: Stores['journal']): FileEffect[] =>
  journal
    .pickWithoutOutcomes(runId, (intent) => (intent.status === 'done' ? fileEffectsOf(intent) : []))
    .flat();

/** Skips a change of another content than this. */
function applied(content: Buffer | undefined, { before, after, diff }: FileEffect) {
  const state = content === undefined ? ABSENT : sha256(content);
  if (before !== state || diff === null) return content;
  const made = applyTextDiff(content?.toString('utf8') ?? '', diff);
  return after === ABSENT || made === undefined ? undefined : Buffer.from(made);
}

function diffOf(
  row: FileChange,
  { before, after }: Readonly<Record<'before' | 'after', Side>>,
  { run, stores }: DiffContext,
): Pick<FileDiff, 'diff' | 'diff_problem'> {
  const problem = [before, after].find((side) => typeof side === 'string');
  if (typeof problem === 'string') return { diff: null, diff_problem: problem };
  const shown = relative(run.workspace, row.path);
  const text = textDiff(shown, before as Buffer | undefined, after as Buffer | undefined);
  return { diff: stores.redactor.redact(text.diff), diff_problem: text.problem };
}

/** An operation with effects outside the files of the workspace, which can't be undone. */
export interface OutsideEffect
  extends Pick<
    EffectDocument,
    'intent_id' | 'subtask_id' | 'capsule_id' | 'what' | 'status' | 'at'
  > {
  readonly kind: 'command' | 'request' | 'service' | 'other';
}

/** The operations of a run that may have changed something beyond the files of its workspace. */
export const outsideEffects = (
  journal: Stores['journal'],
  { id, isolation }: Pick<RunRecord, 'id' | 'isolation'>,
): OutsideEffect[] =>
  journal.pickWithoutOutcomes(id, (intent) => outsideEffectOf(intent, isolation)).flat();

function outsideEffectOf(intent: IntentRecord, isolation: string): OutsideEffect[] {
  if (intent.kind === 'chat' || !hadEffect(intent)) return [];
  if (effectsOf(intent) === 'local' || isHarmless(intent, isolation)) return [];
  return [{ ...aboutIntent(intent), kind: kindOf(intent) }];
}

const effectsOf = ({ name }: IntentRecord): Effects | undefined => toolOf(name)?.effects;

/** Only at level A or B a command with access to read changes nothing. */
function isHarmless(intent: IntentRecord, isolation: string): boolean {
  if (effectsOf(intent) !== 'process' || !intent.name.endsWith('.read')) return false;
  const { args } = intent.request as { readonly args?: { readonly network?: unknown } };
  return /^[AB]\b/.test(isolation) && args?.network === undefined;
}

function kindOf(intent: IntentRecord): OutsideEffect['kind'] {
  if (intent.kind === 'http') return 'service';
  const effects = effectsOf(intent);
  if (effects === 'process') return 'command';
  return effects === 'network' ? 'request' : 'other';
}

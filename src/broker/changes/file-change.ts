import {
  ABSENT,
  type InspectedFile,
  isFile,
  isHash,
  type PathState,
} from '../../tools/files/path-state.ts';

/** Why a change can't be undone. */
export type ChangeProblem =
  /** A program changed it, and no command named it. */
  | 'not_kept'
  /** It appeared while a program ran that did not name it: something else may have created it. */
  | 'appeared_during_command'
  /** It changed while a program ran that did not name it: something else may have changed it. Its content is stored. */
  | 'changed_during_command'
  /** Its content did not fit into `UNDO_MB`. */
  | 'over_limit'
  /** It contains a known secret: such content is not copied. */
  | 'holds_secret'
  /** Its content could not be copied. */
  | 'not_stored'
  /** Something else changed it between two changes of the run. */
  | 'changed_between';

/** The change of one file by a run: from the first content to the last. */
export interface FileChange {
  readonly runId: string;
  /** Absolute. */
  readonly path: string;
  /** The kind of the last change. */
  readonly kind: 'tool' | 'program';
  /** `unknown`: it existed, but its content is not known. */
  readonly before: PathState | 'unknown';
  readonly beforeMode: number | null;
  /** Size of the content before, if it is kept; else null. */
  readonly keptBytes: number | null;
  readonly problem: ChangeProblem | null;
  /** The planned state after the operation in progress; null if there is none, or it is not known. */
  readonly planned: PathState | null;
  /** Null: an operation started and its outcome is not known. */
  readonly after: PathState | null;
  readonly afterMode: number | null;
  readonly afterBytes: number | null;
  readonly subtaskId: string;
  readonly intentId: string;
  /** When the person undid it, as ISO 8601; null if it was not undone. */
  readonly undoneAt: string | null;
}

export type Changer = Pick<FileChange, 'runId' | 'kind' | 'subtaskId' | 'intentId'>;

/** The state of a file directly before an operation. */
export interface FileBefore {
  readonly path: string;
  readonly seen: InspectedFile;
  /** Null: nothing is stored. */
  readonly keptBytes: number | null;
  readonly problem: ChangeProblem | null;
  readonly planned: PathState | null;
}

/** The row at the start of an operation. The content before the first operation of the run is kept. */
export function beginChange(
  row: FileChange | undefined,
  by: Changer,
  { path, seen, keptBytes, problem, planned }: FileBefore,
): FileChange {
  if (row === undefined) {
    const rest = { after: null, afterMode: null, afterBytes: null, undoneAt: null };
    const before = { before: seen.state, beforeMode: seen.mode, keptBytes, problem };
    return { ...by, path, ...before, planned, ...rest };
  }
  const resolved = { ...row, after: afterOf(row, seen.state), planned };
  if (row.undoneAt !== null && seen.state === row.before) {
    return { ...resolved, after: seen.state, afterMode: seen.mode, undoneAt: null };
  }
  const isForeign = resolved.after !== null && resolved.after !== seen.state;
  return isForeign ? { ...resolved, problem: 'changed_between' } : resolved;
}

/** The row at the end of an operation; unchanged if the operation changed nothing. */
export function endChange(row: FileChange, by: Changer, seen: InspectedFile): FileChange {
  const isUnchanged = row.after === seen.state && row.afterMode === seen.mode;
  if (isUnchanged) return { ...row, planned: null };
  const { state: after, mode: afterMode, bytes: afterBytes } = seen;
  return { ...row, ...by, planned: null, after, afterMode, afterBytes, undoneAt: null };
}

/** The state at the path after the run; null if not known. An operation that a crash interrupted may have taken effect. */
export const afterOf = ({ after, planned }: FileChange, now: PathState): PathState | null =>
  planned !== null && now === planned ? planned : after;

export type NetChange = 'created' | 'changed' | 'deleted';

/** The difference between the first content and the last; undefined if there is none. */
export function netChange(row: FileChange, after: PathState | null): NetChange | undefined {
  const { before, beforeMode, afterMode } = row;
  if (before === after) {
    const isSameMode = beforeMode === afterMode || afterMode === null;
    return isSameMode ? undefined : 'changed';
  }
  if (before === ABSENT) return 'created';
  return after === ABSENT ? 'deleted' : 'changed';
}

export type LeftOut =
  | ChangeProblem
  | 'changed_since'
  | 'missing'
  | 'path_taken'
  | 'outcome_unknown'
  | 'symbolic_link'
  | 'not_a_file'
  | 'protected';

export type UndoAction = 'restore' | 'remove' | 'recreate';

export type UndoDecision =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'leave'; readonly reason: LeftOut }
  | {
      readonly kind: 'do';
      readonly action: UndoAction;
      /** The state to restore, with its mode. */
      readonly to: PathState;
      readonly mode: number | null;
    };

const NOTHING: UndoDecision = { kind: 'nothing' };
const leave = (reason: LeftOut): UndoDecision => ({ kind: 'leave', reason });

/** Decides how to undo the row, given the current state of the file, and whether content of a hash is kept. */
export function decideUndo(
  row: FileChange,
  now: InspectedFile,
  hasContent: (sha256: string) => boolean,
): UndoDecision {
  const after = afterOf(row, now.state);
  if (after !== null && netChange(row, after) === undefined) return NOTHING;
  if (now.state === row.before && (now.mode === row.beforeMode || after !== row.before))
    return NOTHING;
  const reason = reasonToSkip(row, after, now);
  if (reason !== undefined) return leave(reason);
  const isKept = isHash(row.before) && row.keptBytes !== null && hasContent(row.before);
  return put(row.before, row.beforeMode, now, isKept ? null : (row.problem ?? 'not_stored'));
}

/** @param problem Why the content is not kept; null if it is. */
function put(
  to: PathState,
  mode: number | null,
  now: InspectedFile,
  problem: LeftOut | null,
): UndoDecision {
  if (to === ABSENT) return { kind: 'do', action: 'remove', to, mode: null };
  if (problem !== null) return leave(problem);
  return { kind: 'do', action: now.state === ABSENT ? 'recreate' : 'restore', to, mode };
}

/** Problems that prevent an undo even if the content is kept. */
const severe: ReadonlySet<ChangeProblem> = new Set(['changed_between', 'appeared_during_command']);

function reasonToSkip(
  { problem, afterMode }: FileChange,
  after: PathState | null,
  now: InspectedFile,
): LeftOut | undefined {
  if (problem !== null && severe.has(problem)) return problem;
  if (after === null) return 'outcome_unknown';
  if (now.state !== after) return differs(after, now.state);
  if (now.mode !== null && afterMode !== null && now.mode !== afterMode) return 'changed_since';
  if (after.startsWith('link:')) return 'symbolic_link';
  return after === ABSENT || isFile(after) ? undefined : 'not_a_file';
}

function differs(after: PathState, now: PathState): LeftOut {
  if (now === ABSENT) return 'missing';
  return after === ABSENT ? 'path_taken' : 'changed_since';
}

/** Decides how to redo the row, given the current state of the file. */
export function decideRedo(
  row: FileChange,
  now: InspectedFile,
  hasContent: (sha256: string) => boolean,
): UndoDecision {
  const { after, before, undoneAt } = row;
  if (undoneAt === null || after === null) return NOTHING;
  if (now.state === after && (now.mode === row.afterMode || after !== before)) return NOTHING;
  if (now.state !== before) return leave(differs(before, now.state));
  return put(after, row.afterMode, now, isHash(after) && hasContent(after) ? null : 'not_stored');
}

import { isDeepStrictEqual } from 'node:util';
import type { Command, Operation } from '../../contract/permissions/operation.ts';
import type { Db } from '../../db/open-database.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';
import type { FileCall } from '../../tools/define/call.ts';
import { type InspectedFile, inspectFile, isHash } from '../../tools/files/path-state.ts';
import type { Journal } from '../intent/journal.ts';
import { type ChangeRows, createChangeRows } from './change-rows.ts';
import {
  beginChange,
  type Changer,
  endChange,
  type FileBefore,
  type FileChange,
  netChange,
} from './file-change.ts';
import { type ContentKeeper, createContentKeeper } from './keep-content.ts';
import { areAllCopied, type CopiedFile, copyFiles } from './workspace/copied-files.ts';
import { type FoundChange, findChanged } from './workspace/find-changed.ts';
import { namedPaths } from './workspace/named-files.ts';
import { type Snapshot, takeSnapshot } from './workspace/workspace-snapshot.ts';

interface ChangingCall {
  readonly intent: { readonly id: string; readonly runId: string; readonly subtaskId: string };
  readonly operation: Pick<Operation, 'command'>;
  /** Files that its arguments name as written: absolute, with the planned content. */
  readonly effects: readonly { readonly path: string; readonly after: string | null }[];
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
}

export interface OpenChange {
  /** Finds the changes of the call; rows are written with the next commit. `isUndone`: it certainly wrote no planned content. */
  end(isUndone?: boolean): Promise<void>;
}

interface ChangeRecorderOptions {
  readonly db: Db;
  readonly journal: Pick<Journal, 'noteSoon'>;
  readonly redactor: Pick<Redactor, 'holdsSecret'>;
  readonly stateDir: string;
  readonly maxBytes: number;
  /** Whether a command with this access may change files. Default: one with `write`. */
  mayWrite?(access: Command['access']): boolean;
  isProtected(path: string, access: 'read' | 'write'): boolean;
}

interface Recording extends ChangeRecorderOptions {
  readonly rows: ChangeRows;
  readonly keeper: ContentKeeper;
  readonly by: Changer;
  readonly workspace: string;
  /** As ISO 8601. */
  readonly startedAt: string;
}

export type ChangeRecorder = ReturnType<typeof createChangeRecorder>;

/** Stores the content of files before a run changes them, and records the changes. */
export function createChangeRecorder(options: ChangeRecorderOptions) {
  const rows = createChangeRows(options.db);
  const keeper = createContentKeeper({ ...options, rows });
  const mayWrite = options.mayWrite ?? ((access) => access === 'write');
  return {
    /** Whether whatever a command of the run changes in the files of a workspace could be undone. */
    async coversAll(workspace: string, runId: string): Promise<boolean> {
      const maxBytes = keeper.bytesLeft(runId);
      const snapshot = await takeSnapshot({ ...options, workspace });
      return areAllCopied(snapshot, { maxBytes, maxFiles: MAX_KEPT });
    },
    /**
     * Stores the content of the files that a call is about to change. When it returns, the content is on the disk; the rows
     * are written with the next commit. To be called directly before the row `started` is saved.
     *
     * @returns Undefined, synchronously, if the call changes no file.
     */
    begin({
      intent,
      operation,
      effects,
      workspace,
    }: ChangingCall): Promise<OpenChange> | undefined {
      const { command } = operation;
      const isCommand = command !== undefined && mayWrite(command.access);
      if (!isCommand && effects.length === 0) return undefined;
      const { id: intentId, runId, subtaskId } = intent;
      const by: Changer = { runId, subtaskId, intentId, kind: isCommand ? 'program' : 'tool' };
      const startedAt = new Date().toISOString();
      const recording = { ...options, rows, keeper, by, workspace, startedAt };
      if (isCommand) return beginCommand(command, recording);
      const files = effects.map(({ path, after }) => ({ path, planned: after }));
      return beginAll(files, recording).then(({ see }) => ({
        end: async (isUndone) => options.journal.noteSoon(await see(isUndone)),
      }));
    },
  };
}

type Target = Pick<FileBefore, 'path' | 'planned'>;

async function beginCommand(command: Command, recording: Recording): Promise<OpenChange> {
  const { by, rows, journal } = recording;
  const snapshot = await takeSnapshot(recording);
  const { files, missing, gap: namedGap } = await namedPaths(command, recording, snapshot);
  const targets = files.map((path) => ({ path, planned: null }));
  const { known, see } = await beginAll(targets, recording);
  const copies = await copyOthers(snapshot, known, recording);
  journal.noteSoon(() => rows.setGap(by.runId, by.intentId, 'interrupted'));
  return {
    async end() {
      const writeSeen = await see();
      const isOther = (path: string) => !known.has(path) && isRecorded(path, recording);
      const found = await findChanged({ snapshot, missing }, recording, isOther);
      const changes = await keepCopies(found.changes, copies, recording);
      const befores = changes.map(({ before }) => before);
      const settle = recording.keeper.settlerOf(by.runId, befores);
      journal.noteSoon(() => {
        writeSeen();
        for (const change of changes) saveFound(change, recording);
        settle();
        rows.setGap(by.runId, by.intentId, found.gap ?? namedGap);
      });
    },
  };
}

/** Files that the command does not name, and that the run has not changed. */
function copyOthers(
  snapshot: Snapshot,
  named: ReadonlySet<string>,
  recording: Recording,
): Promise<ReadonlyMap<string, CopiedFile>> {
  const { workspace, isProtected, rows, keeper, by } = recording;
  const call: FileCall = { tool: 'undo', context: { workspace, signal, isProtected } };
  const changed = new Set(rows.of(by.runId).map(({ path }) => path));
  const isCopied = (path: string) =>
    !named.has(path) && !changed.has(path) && isRecorded(path, recording);
  return copyFiles(snapshot, call, { isCopied, maxBytes: keeper.bytesLeft(by.runId) });
}

/** Files of one command whose earlier content is stored although it did not name them. */
const MAX_KEPT = 1_000;

async function keepCopies(
  changes: readonly FoundChange[],
  copies: ReadonlyMap<string, CopiedFile>,
  { keeper, by }: Recording,
): Promise<readonly FoundChange[]> {
  const kept: FoundChange[] = [];
  for (const change of changes) {
    const copy = kept.length < MAX_KEPT ? copies.get(change.before.path) : undefined;
    const file = copy && (await keeper.keepCopy(by.runId, copy));
    const problem = 'changed_during_command' as const;
    const stored = typeof file === 'string' ? { problem: file } : file && { ...file, problem };
    kept.push({ ...change, before: { ...change.before, ...stored } });
  }
  return kept;
}

/** Protected paths are not recorded, and neither are names that contain a secret. */
const isRecorded = (path: string, { isProtected, redactor }: Recording): boolean =>
  !isProtected(path, 'read') && !isProtected(path, 'write') && !redactor.holdsSecret(path);

/**
 * Keeps the content of files. `see` looks at them after the call, and returns the function that writes their rows; it discards
 * the kept content of files that the run changed neither before nor now.
 */
async function beginAll(targets: readonly Target[], recording: Recording) {
  const { rows, by, keeper, journal } = recording;
  const befores: FileBefore[] = [];
  for (const target of targets) {
    if (isRecorded(target.path, recording)) befores.push(await keepOne(target, recording));
  }
  /** The row of each file before this call, undefined if the run had not touched it, and as the call began it. */
  const earlier = new Map<string, { was: FileChange | undefined; begun: FileChange }>();
  const settle = keeper.settlerOf(by.runId, befores);
  if (befores.length > 0)
    journal.noteSoon(() => {
      for (const before of befores) {
        const was = rows.find(by.runId, before.path);
        const begun = beginChange(was, by, before);
        earlier.set(before.path, { was, begun });
        rows.put(begun);
      }
      settle();
    });
  const see = async (isUndone = false) => {
    const ends: (() => void)[] = [];
    for (const { path, seen, planned } of befores) {
      const isBefore = isUndone && planned !== null;
      const now = isBefore ? seen : await inspectFile(path, isHash(seen.state) ? seen.state : null);
      ends.push(() => {
        const { was, begun } = earlier.get(path) ?? {};
        // Another call of the run has begun or changed it since: the row is its own.
        if (isBefore && !isDeepStrictEqual(rows.find(by.runId, path), begun)) return;
        if (isBefore && was) rows.put(was);
        else endOne(path, now, was, recording);
      });
    }
    return () => {
      for (const end of ends) end();
    };
  };
  return { known: new Set(befores.map(({ path }) => path)), see };
}

const { signal } = new AbortController();

async function keepOne(target: Target, recording: Recording): Promise<FileBefore> {
  const { rows, by, keeper, workspace, isProtected } = recording;
  const { path } = target;
  if (rows.find(by.runId, path) !== undefined)
    return { ...target, seen: await inspectFile(path), keptBytes: null, problem: null };
  const call: FileCall = { tool: 'undo', context: { workspace, signal, isProtected } };
  return { ...target, ...(await keeper.keep(by.runId, path, call)) };
}

function endOne(
  path: string,
  seen: InspectedFile,
  was: FileChange | undefined,
  { rows, by, keeper }: Recording,
): void {
  const old = rows.find(by.runId, path);
  if (old === undefined) return;
  const row = endChange(old, by, seen);
  if (was || netChange(row, row.after) !== undefined) {
    rows.put(row);
    return;
  }
  rows.remove(row);
  if (row.keptBytes !== null) keeper.release(row.runId, row.before);
}

/** Skips a change that already has a row, of another operation or another run. */
function saveFound(
  { before, seen }: FoundChange,
  { rows, by, keeper, startedAt }: Recording,
): void {
  const old: FileChange | undefined = rows.find(by.runId, before.path);
  const row = endChange(old ?? beginChange(undefined, by, before), by, seen);
  const isKnown = old ? [old.after, old.planned].includes(seen.state) : !netChange(row, row.after);
  if (!isKnown && !rows.isOfAnotherRun(row, startedAt)) rows.put(row);
  else if (before.keptBytes !== null) keeper.release(by.runId, before.seen.state);
}

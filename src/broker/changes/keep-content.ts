import { closeSync, lstatSync } from 'node:fs';
import type { Redactor } from '../../policy/secrets/redact.ts';
import { namelessFile } from '../../runtime/sandbox/bubblewrap/nameless-file.ts';
import type { FileCall } from '../../tools/define/call.ts';
import { ABSENT, inspectFile } from '../../tools/files/path-state.ts';
import { openFile } from '../../tools/files/paths.ts';
import type { ChangeRows } from './change-rows.ts';
import { contentStoreOf } from './content-store.ts';
import type { FileBefore } from './file-change.ts';
import type { CopiedFile } from './workspace/copied-files.ts';

/** A file before an operation, with its content if it could be stored. */
type KeptFile = Pick<FileBefore, 'seen' | 'keptBytes' | 'problem'>;

interface KeeperOptions {
  readonly rows: ChangeRows;
  readonly stateDir: string;
  readonly redactor: Pick<Redactor, 'holdsSecret'>;
  /** Of one run. */
  readonly maxBytes: number;
}

export type ContentKeeper = ReturnType<typeof createContentKeeper>;

/** Stores content of files within the limit of each run, one file after the other. */
export function createContentKeeper({ rows, stateDir, redactor, maxBytes }: KeeperOptions) {
  /** Content whose rows are not written yet, and how often. */
  const held = new Map<string, { readonly runId: string; readonly bytes: number; n: number }>();
  const keyOf = (runId: string, sha256: string) => `${runId} ${sha256}`;
  const heldBytes = (runId: string) =>
    [...held.values()].reduce((sum, one) => sum + (one.runId === runId ? one.bytes : 0), 0);
  const hold = (runId: string, sha256: string, bytes: number) => {
    const key = keyOf(runId, sha256);
    held.set(key, { runId, bytes, n: (held.get(key)?.n ?? 0) + 1 });
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const bytesLeft = (runId: string) => maxBytes - rows.keptBytes(runId) - heldBytes(runId);
  const store = async (runId: string, fd: number, mode: number) => {
    const limits = { maxBytes: bytesLeft(runId), holdsSecret: redactor.holdsSecret };
    const kept = await contentStoreOf(stateDir, runId).keep(fd, limits);
    if (typeof kept === 'string') return kept;
    hold(runId, kept.sha256, kept.bytes);
    const seen = { state: kept.sha256, mode, bytes: kept.bytes };
    return { seen, keptBytes: kept.bytes, problem: null };
  };
  const keep = async (runId: string, path: string, call: FileCall) => {
    if (lstatSync(path).size > bytesLeft(runId)) return 'over_limit';
    using file = await openFile(path, call);
    if (file.path !== path) return 'not_stored';
    return await store(runId, file.fd, file.mode & 0o7777);
  };
  const keepCopy = async (runId: string, { content, mode }: CopiedFile) => {
    const fd = namelessFile(content);
    try {
      return await store(runId, fd, mode);
    } finally {
      closeSync(fd);
    }
  };
  return {
    bytesLeft,
    /** The same for the copy of a file that has changed since; or why it can't be stored. Never throws. */
    keepCopy: (runId: string, copy: CopiedFile) =>
      inTurn(() => keepCopy(runId, copy)).catch(() => 'not_stored' as const),
    /** Never throws. The content is not removed before its settler is called, even if no row needs it. */
    async keep(runId: string, path: string, call: FileCall): Promise<KeptFile> {
      const kept = await inTurn(() => keep(runId, path, call)).catch(() => 'not_stored' as const);
      if (typeof kept !== 'string') return kept;
      const seen = await inspectFile(path);
      return { seen, keptBytes: null, problem: seen.state === ABSENT ? null : kept };
    },
    /** The settler of stored files, to be called once their rows are written; also again, if a failed transaction is repeated. */
    settlerOf(runId: string, files: readonly KeptFile[]): () => void {
      const left = files.filter(({ keptBytes }) => keptBytes !== null);
      return () => {
        for (const { seen } of left.splice(0)) {
          const entry = held.get(keyOf(runId, seen.state));
          if (entry && --entry.n === 0) held.delete(keyOf(runId, seen.state));
        }
      };
    },
    /** Schedules the removal of content that no row needs. */
    release(runId: string, sha256: string): void {
      const remove = () => {
        if (rows.needs(runId, sha256) || held.has(keyOf(runId, sha256))) return;
        contentStoreOf(stateDir, runId).remove(sha256);
      };
      void inTurn(remove).catch(() => undefined);
    },
  };
}

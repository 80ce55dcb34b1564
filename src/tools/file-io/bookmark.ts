import { fstatSync } from 'node:fs';
import type { Opened } from '../files/paths.ts';

/** Where the last reading of a file ended, and what it had found out about the whole. */
export interface Bookmark {
  /** Undefined if only a part was read. */
  readonly sha256: string | undefined;
  readonly bytes: number;
  readonly line: number;
  /** Where that line begins, in bytes. */
  readonly offset: number;
}

export interface OpenBookmark {
  /** Set where the file is the same as then, and the line is the one where that reading ended. */
  readonly found: Bookmark | undefined;
  /** Remembers where this reading ended, unless the file changed meanwhile. */
  move(bookmark: Bookmark): void;
}

const MAX_BOOKMARKS = 64;
/** A file may change twice within one tick of its file system's clock: one that changed so lately is not trusted, in milliseconds. */
const TICK_MS = 100;

/** By path. In memory only: it saves reading a long file from its start for every part of it. */
const bookmarks = new Map<string, Bookmark & { readonly version: string }>();

export function openBookmark(file: Opened, line: number): OpenBookmark {
  const openedMs = Date.now();
  const { version, changedMs } = versionOf(file);
  const last = bookmarks.get(file.path);
  return {
    found: last?.version === version && last.line === line ? last : undefined,
    move(bookmark) {
      bookmarks.delete(file.path);
      const now = versionOf(file);
      if (now.version !== version || changedMs > openedMs - TICK_MS) return;
      bookmarks.set(file.path, { ...bookmark, version });
      const [oldest] = bookmarks.keys();
      if (bookmarks.size > MAX_BOOKMARKS && oldest !== undefined) bookmarks.delete(oldest);
    },
  };
}

/** Changes with every change of a file's content; `ctime` can't be set back. */
function versionOf({ fd }: Opened): { version: string; changedMs: number } {
  const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(fd, { bigint: true });
  const version = [dev, ino, size, mtimeNs, ctimeNs].join(':');
  return { version, changedMs: Number(ctimeNs / 1_000_000n) };
}

import { createHash, type Hash } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { messageOf } from '../../contract/errors.ts';
import { codeOf } from '../../platform/try-or.ts';
import { failure, type ToolCall } from '../define/call.ts';
import type { FileState, ToolOutput } from '../define/tool.ts';
import { readState } from '../files/path-state.ts';
import { type Opened, openFile, shownPath } from '../files/paths.ts';
import { ThreadTimeout } from '../worker-thread.ts';
import type { FileIoArgs } from './arguments.ts';
import { tooSlow } from './change/replace.ts';
import { countLines, LF } from './line-slice.ts';
import { createLineMatcher, type LineMatcher } from './pattern-worker.ts';
import { chunksOf, isBinary } from './read.ts';
import { walkMatching } from './walk/walk.ts';

/** A longer line is searched in pieces, in bytes. */
const MAX_HELD_BYTES = 1024 * 1024;
/** Time limit for matching one piece of text, in milliseconds. */
const PIECE_DEADLINE_MS = 5_000;

interface Search {
  readonly matcher: LineMatcher;
  readonly maxResults: number;
  /** Lines that matched. */
  readonly matches: { readonly path: string; readonly line: number; readonly text: string }[];
  /** Also counts matches that are not returned. */
  total: number;
  /** Of the returned matches. */
  bytes: number;
  /** Number of searched files. */
  files: number;
  /** Of files with a match. */
  readonly states: FileState[];
}

/** Finds lines in a file or in all text files of a tree. Binary and protected files are skipped. */
export async function search(given: FileIoArgs, call: ToolCall): Promise<ToolOutput> {
  const { pattern = '', max_results: maxResults = 200 } = given;
  await using matcher = matcherFor(pattern, given.ignore_case, call);
  const about = { matcher, maxResults, matches: [], states: [] };
  const search: Search = { ...about, total: 0, bytes: 0, files: 0 };
  try {
    for await (const path of filesOf(given, call)) await searchFile(path, search, call);
  } catch (error) {
    if (error instanceof ThreadTimeout) throw failure(call, tooSlow(pattern), error);
    throw error;
  }
  const { matches, total, files, states } = search;
  return { result: { total, truncated: total > matches.length, files, matches }, read: states };
}

function matcherFor(pattern: string, ignoreCase: boolean, call: ToolCall): LineMatcher {
  const deadlineMs = Math.min(PIECE_DEADLINE_MS, call.context.timeoutMs);
  try {
    return createLineMatcher(pattern, ignoreCase ? 'i' : '', deadlineMs);
  } catch (error) {
    throw failure(call, `the pattern is not a regular expression: ${messageOf(error)}`, error);
  }
}

/** The file itself, or the files of the tree, as paths relative to the workspace. */
async function* filesOf(given: FileIoArgs, call: ToolCall): AsyncGenerator<string> {
  const { path, globs, include_ignored: everything } = given;
  const file = await openFile(path, call).catch((error: unknown) => {
    if (error instanceof Error && codeOf(error.cause) === 'EISDIR') return undefined;
    throw error;
  });
  if (file !== undefined) {
    file[Symbol.dispose]();
    yield path;
    return;
  }
  for await (const entry of walkMatching(path, globs, { recursive: true, everything }, call)) {
    if (entry.kind === 'file') yield entry.path;
  }
}

/** Skips a file of a tree that can't be opened: protected, unreadable or deleted meanwhile. */
async function searchFile(path: string, found: Search, call: ToolCall): Promise<void> {
  using file = await openFile(path, call).catch(() => undefined);
  if (file === undefined) return;
  const { maxResults } = found;
  const { workspace, maxOutputBytes } = call.context;
  const shown = shownPath(workspace, file.path);
  const totalBefore = found.total;
  const stats = fstatSync(file.fd);
  const hash = createHash('sha256');
  let bytes = 0;
  let line = 1;
  for await (const piece of piecesOf(file, hash, call)) {
    bytes += piece.length;
    const room = found.bytes > maxOutputBytes ? 0 : maxResults - found.matches.length;
    const { matches, total } = await found.matcher.find(piece.toString('utf8'), room);
    found.total += total;
    for (const match of matches) {
      found.bytes += Buffer.byteLength(shown) + Buffer.byteLength(match.text) + 64;
      if (found.bytes > maxOutputBytes) break;
      found.matches.push({ path: shown, line: line + match.line, text: match.text });
    }
    line += countLines(piece);
  }
  if (bytes === 0) return;
  found.files += 1;
  if (found.total > totalBefore && found.states.length < maxResults)
    found.states.push({ path: file.path, bytes, sha256: readState(stats, hash) });
}

/** The text of a file in pieces that end with a line, except for very long lines. Nothing of a binary file. */
async function* piecesOf(file: Opened, hash: Hash, call: ToolCall): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of chunksOf(file, call)) {
    if (isFirst && isBinary(chunk)) return;
    isFirst = false;
    hash.update(chunk);
    const all = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = all.lastIndexOf(LF) + 1;
    const cut = end === 0 && all.length > MAX_HELD_BYTES ? all.length : end;
    if (cut > 0) yield all.subarray(0, cut);
    held = all.subarray(cut);
  }
  if (held.length > 0) yield held;
}

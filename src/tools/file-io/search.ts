import { createHash, type Hash } from 'node:crypto';
import { messageOf } from '../../contract/errors.ts';
import { shownPath } from '../../platform/files/inside.ts';
import { codeOf } from '../../platform/try-or.ts';
import { failure, type ToolCall } from '../define/call.ts';
import type { FileState, ToolOutput } from '../define/tool.ts';
import { readState } from '../files/path-state.ts';
import { type Opened, openFile } from '../files/paths.ts';
import { ThreadTimeout } from '../worker-thread.ts';
import type { FileIoArgs } from './arguments.ts';
import { tooSlow } from './change/replace.ts';
import { countLines, LF } from './line-slice.ts';
import { createLineMatcher, type FoundLines, type LineMatcher } from './pattern-worker.ts';
import { chunksOf, isBinary } from './read.ts';
import { walkMatching } from './walk/walk.ts';

/** A longer line is searched in pieces that overlap, in bytes. */
const MAX_HELD_BYTES = 1024 * 1024;
const OVERLAP_BYTES = 1024;
/** Files that were not searched completely are named up to this number. */
const MAX_NAMED = 20;
/** Pieces of small files are matched together, from this number of bytes on: each message to a thread takes time. */
const BATCH_BYTES = 64 * 1024;
/** Time limit for matching one batch, in milliseconds. */
const BATCH_DEADLINE_MS = 5_000;

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
  /** Files that were not searched, or not completely, and why; `ignored` has files and folders. */
  readonly skipped: { readonly path: string; readonly reason: string }[];
  ignored: number;
}

/** Finds lines in a file or in all text files of a tree. Binary and protected files are skipped, and named in the result. */
export async function search(given: FileIoArgs, call: ToolCall): Promise<ToolOutput> {
  const { pattern = '', max_results: maxResults = 200 } = given;
  await using matcher = matcherFor(pattern, given.ignore_case, call);
  const about = { matcher, maxResults, matches: [], states: [], skipped: [] };
  const search: Search = { ...about, total: 0, bytes: 0, files: 0, ignored: 0 };
  try {
    let batch: Piece[] = [];
    let bytes = 0;
    for await (const path of filesOf(given, search, call)) {
      for await (const piece of piecesOf(path, search, call)) {
        batch.push(piece);
        bytes += piece.text.length;
        if (bytes < BATCH_BYTES) continue;
        await searchBatch(batch, search, call);
        batch = [];
        bytes = 0;
      }
    }
    await searchBatch(batch, search, call);
  } catch (error) {
    if (error instanceof ThreadTimeout) throw failure(call, tooSlow(pattern), error);
    throw error;
  }
  const { matches, total, files, states, skipped, ignored } = search;
  const truncated = total > matches.length;
  const rest = {
    ...(skipped.length > 0 && { skipped: skipped.slice(0, MAX_NAMED) }),
    ...(skipped.length > MAX_NAMED && { more_skipped: skipped.length - MAX_NAMED }),
    ...(ignored > 0 && { ignored }),
  };
  return { result: { total, truncated, files, ...rest, matches }, read: states };
}

function matcherFor(pattern: string, ignoreCase: boolean, call: ToolCall): LineMatcher {
  const deadlineMs = Math.min(BATCH_DEADLINE_MS, call.context.timeoutMs);
  try {
    return createLineMatcher(pattern, ignoreCase ? 'i' : '', deadlineMs);
  } catch (error) {
    throw failure(call, `the pattern is not a regular expression: ${messageOf(error)}`, error);
  }
}

/** The file itself, or the files of the tree, as paths relative to the workspace. */
async function* filesOf(given: FileIoArgs, found: Search, call: ToolCall): AsyncGenerator<string> {
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
  const onIgnored = () => {
    found.ignored += 1;
  };
  const onUnreadable = (folder: string) =>
    found.skipped.push({ path: shownPath(call.context.workspace, folder), reason: 'not readable' });
  const options = { recursive: true, everything, onIgnored, onUnreadable, isSized: false };
  for await (const entry of walkMatching(path, globs, options, call)) {
    if (entry.kind === 'file') yield entry.path;
  }
}

/** A file whose pieces are searched. */
interface Searched {
  readonly shown: string;
  readonly file: Opened;
  readonly hash: Hash;
  bytes: number;
  /** The number of the next line. */
  line: number;
  lastMatched: number;
  isMatched: boolean;
  /** Whether only the beginning of a long line was searched. */
  isCut: boolean;
}

interface Piece {
  readonly of: Searched;
  /** Empty after the last piece of the file. */
  readonly text: string;
  readonly lines: number;
}

async function searchBatch(batch: readonly Piece[], found: Search, call: ToolCall): Promise<void> {
  const { maxOutputBytes } = call.context;
  const room = found.bytes > maxOutputBytes ? 0 : found.maxResults - found.matches.length;
  const texts = batch.map(({ text }) => text);
  const results = batch.length === 0 ? [] : await found.matcher.find(texts, room);
  for (const [index, { of, text, lines }] of batch.entries()) {
    const result = results[index];
    if (text === '' || result === undefined) endFile(of, found);
    else takeMatches(of, result, found, maxOutputBytes);
    of.line += lines;
  }
}

function takeMatches(
  of: Searched,
  { matches, total, isCut }: FoundLines,
  found: Search,
  maxBytes: number,
): void {
  of.isCut ||= isCut;
  of.isMatched ||= total > 0;
  // The next piece of a long line may match again.
  const isAgain = matches[0]?.line === 0 && of.lastMatched === of.line;
  found.total += isAgain ? total - 1 : total;
  for (const match of isAgain ? matches.slice(1) : matches) {
    of.lastMatched = of.line + match.line;
    add({ path: of.shown, line: of.lastMatched, text: match.text }, found, maxBytes);
  }
}

/** Adds a match if there is room for it. */
function add(match: Search['matches'][number], found: Search, maxBytes: number): void {
  found.bytes += Buffer.byteLength(match.path) + Buffer.byteLength(match.text) + 64;
  if (found.bytes <= maxBytes && found.matches.length < found.maxResults) found.matches.push(match);
}

/** Counts a file whose pieces were all searched. */
function endFile({ shown, file, hash, bytes, isMatched, isCut }: Searched, found: Search): void {
  const reason = isCut ? 'a long line was searched in part' : 'binary';
  if (isCut || (bytes === 0 && file.bytes > 0)) found.skipped.push({ path: shown, reason });
  if (bytes === 0) return;
  found.files += 1;
  if (isMatched && found.states.length < found.maxResults)
    found.states.push({ path: file.path, bytes, sha256: readState(file.stats, hash) });
}

/**
 * The text of a file in pieces that end with a line, except for very long lines, and an empty piece at its end. Skips a file
 * of a tree that can't be opened: protected, unreadable or deleted meanwhile. Nothing of a binary file is text.
 */
async function* piecesOf(path: string, found: Search, call: ToolCall): AsyncGenerator<Piece> {
  using file = await openFile(path, call).catch(() => undefined);
  if (file === undefined) {
    found.skipped.push({ path, reason: 'not readable' });
    return;
  }
  const shown = shownPath(call.context.workspace, file.path);
  const hash = createHash('sha256');
  const state = { bytes: 0, line: 1, lastMatched: 0, isMatched: false, isCut: false };
  const of: Searched = { shown, file, hash, ...state };
  for await (const piece of textOf(of, call))
    yield { of, text: piece.toString('utf8'), lines: countLines(piece) };
  yield { of, text: '', lines: 0 };
}

async function* textOf(of: Searched, call: ToolCall): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(of.file, call)) {
    if (of.bytes === 0 && isBinary(chunk)) return;
    of.bytes += chunk.length;
    of.hash.update(chunk);
    const all = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const { cut, from } = cutOf(all);
    if (cut > 0) yield all.subarray(0, cut);
    held = all.subarray(from);
  }
  if (held.length > 0) yield held;
}

/** Where a piece ends, and where the next one begins. */
function cutOf(text: Buffer): { readonly cut: number; readonly from: number } {
  const end = text.lastIndexOf(LF) + 1;
  return end > 0 || text.length <= MAX_HELD_BYTES
    ? { cut: end, from: end }
    : { cut: text.length, from: text.length - OVERLAP_BYTES };
}

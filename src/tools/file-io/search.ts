import { createHash } from 'node:crypto';
import { messageOf } from '../../contract/errors.ts';
import { codeOf, failure, type ToolCall } from '../define/call.ts';
import type { FileState } from '../define/tool.ts';
import { type Opened, openFile, shownPath } from '../files/paths.ts';
import { countLines } from './line-slice.ts';
import { createLineMatcher, type LineMatcher, PatternTooSlow } from './pattern-worker.ts';
import { chunksOf, isBinary } from './read.ts';
import { globMatcher } from './walk/globs.ts';
import { walk } from './walk/walk.ts';

const LF = 0x0a;
/** Most of one line that is held, in bytes; a longer one is searched in pieces. */
const MAX_HELD_BYTES = 1024 * 1024;
/** Longest that one piece of text may take to match, in milliseconds. */
const PIECE_DEADLINE_MS = 5_000;

export interface SearchOptions {
  /** A file, or a folder whose tree is searched. */
  readonly path: string;
  /** A JavaScript regular expression. */
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly globs: readonly string[] | undefined;
  readonly includeIgnored: boolean;
  readonly maxResults: number;
}

export interface Found {
  /** Lines that matched, also those that are not in `matches`. */
  readonly total: number;
  readonly truncated: boolean;
  /** Files that were searched. */
  readonly files: number;
  readonly matches: readonly { path: string; line: number; text: string }[];
}

/** Finds lines in a file or in all text files of a tree; binary and protected files are left out. */
export async function search(
  options: SearchOptions,
  call: ToolCall,
): Promise<{ result: Found; states: FileState[] }> {
  await using matcher = matcherFor(options, call);
  const found = createFound(options.maxResults, call.context.maxOutputBytes);
  try {
    for await (const path of filesOf(options, call)) {
      await searchFile(path, matcher, found, call);
    }
  } catch (error) {
    if (!(error instanceof PatternTooSlow)) throw error;
    throw failure(
      call,
      `the pattern /${options.pattern}/ takes too long to match; avoid nested repetitions such as (a+)+`,
      error,
    );
  }
  return found.done();
}

function matcherFor({ pattern, ignoreCase }: SearchOptions, call: ToolCall): LineMatcher {
  const deadlineMs = Math.min(PIECE_DEADLINE_MS, call.context.timeoutMs);
  try {
    return createLineMatcher(pattern, ignoreCase ? 'i' : '', deadlineMs);
  } catch (error) {
    throw failure(call, `the pattern is no regular expression: ${messageOf(error)}`, error);
  }
}

/** The file itself, or the files of the tree below, as paths relative to the workspace. */
async function* filesOf(options: SearchOptions, call: ToolCall): AsyncGenerator<string> {
  const { path, globs, includeIgnored } = options;
  const file = await openFile(path, call).catch((error: unknown) => {
    if (error instanceof Error && codeOf(error.cause) === 'EISDIR') return undefined;
    throw error;
  });
  if (file !== undefined) {
    file[Symbol.dispose]();
    yield path;
    return;
  }
  const matches = globMatcher(globs);
  const base = path.replace(/^(\.\/)+/, '').replace(/\/+$/, '');
  const prefix = base === '' || base === '.' ? '' : `${base}/`;
  for await (const entry of walk(path, { recursive: true, everything: includeIgnored }, call)) {
    if (entry.kind !== 'file') continue;
    const below = entry.path.startsWith(prefix) ? entry.path.slice(prefix.length) : entry.path;
    if (matches(below)) yield entry.path;
  }
}

interface Collecting {
  add(path: string, line: number, text: string): void;
  searched(state: FileState, hasMatch: boolean): void;
  readonly total: () => number;
  done(): { result: Found; states: FileState[] };
}

function createFound(maxResults: number, maxBytes: number): Collecting {
  const matches: { path: string; line: number; text: string }[] = [];
  const states: FileState[] = [];
  let total = 0;
  let bytes = 0;
  let files = 0;
  return {
    add(path, line, text) {
      total += 1;
      bytes += Buffer.byteLength(path) + Buffer.byteLength(text) + 64;
      if (matches.length < maxResults && bytes <= maxBytes) matches.push({ path, line, text });
    },
    searched(state, hasMatch) {
      files += 1;
      if (hasMatch && states.length < maxResults) states.push(state);
    },
    total: () => total,
    done: () => ({
      result: { total, truncated: total > matches.length, files, matches },
      states,
    }),
  };
}

async function searchFile(
  path: string,
  matcher: LineMatcher,
  found: Collecting,
  call: ToolCall,
): Promise<void> {
  using file = await openSearchable(path, call);
  if (file === undefined) return;
  const shown = shownPath(call.context.workspace, file.path);
  const before = found.total();
  const hash = createHash('sha256');
  let bytes = 0;
  let line = 1;
  for await (const piece of piecesOf(file, hash, call)) {
    bytes += piece.length;
    for (const match of await matcher.find(piece.toString('utf8'))) {
      found.add(shown, line + match.line, match.text);
    }
    line += countLines(piece);
  }
  if (bytes === 0) return;
  const state = { path: file.path, bytes, sha256: hash.digest('hex') };
  found.searched(state, found.total() > before);
}

/** What can't be opened (protected, unreadable, gone) is passed over where it was not named itself. */
const openSearchable = (path: string, call: ToolCall): Promise<Opened | undefined> =>
  openFile(path, call).catch(() => undefined);

/** Text in pieces that end with a line, as far as lines end. */
async function* piecesOf(
  file: Opened,
  hash: { update(data: Buffer): unknown },
  call: ToolCall,
): AsyncGenerator<Buffer> {
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

import { applyPatch, formatPatch, type StructuredPatchHunk, structuredPatch } from 'diff';
import { tryOr } from '../try-or.ts';

export interface TextDiff {
  /** Unified; null if there is none to show. */
  readonly diff: string | null;
  readonly problem: 'binary' | 'too_large' | null;
}

/** Larger files are not compared. */
const MAX_BYTES = 1024 * 1024;
const MAX_DIFF_CHARS = 256 * 1024;
const MAX_WHOLE_CHARS = 128 * 1024;
/** Lines of a text that are compared, and unchanged lines that are shown around a change. */
const MAX_LINES = 100_000;
const CONTEXT = 4;
/** Comparing two completely different texts takes long: after this time, all lines between the first and the last change count as changed. */
const MAX_MS = 200;

/**
 * The difference between two contents of a file.
 *
 * @param shown The path for the head of the difference.
 * @param before Undefined: there was no file. The same for `after`.
 * @param allowsNul Whether a text may contain U+0000. Default: false.
 */
export function textDiff(
  shown: string,
  before: Buffer | undefined,
  after: Buffer | undefined,
  { allowsNul = false } = {},
): TextDiff {
  if ([before, after].some((side) => side !== undefined && side.length > MAX_BYTES))
    return TOO_LARGE;
  const [old, made] = [textOf(before, allowsNul), textOf(after, allowsNul)];
  if (old === undefined || made === undefined) return { diff: null, problem: 'binary' };
  const name = /[\p{Cc}\p{Cf}\u2028\u2029"\\]/u.test(shown) ? JSON.stringify(shown) : shown;
  const from = before === undefined ? '/dev/null' : name;
  const to = after === undefined ? '/dev/null' : name;
  const diff = patchOf([from, to], old, made);
  return diff === undefined || diff.length > MAX_DIFF_CHARS ? TOO_LARGE : { diff, problem: null };
}

/** The text that such a difference leads to; undefined if it does not fit. */
export function applyTextDiff(text: string, diff: string): string | undefined {
  const made = tryOr(() => applyPatch(text, diff, { autoConvertLineEndings: false }), false);
  return made === false ? undefined : made;
}

/** Undefined if there are too many lines. Of long texts, the lines that both begin or end with are skipped. */
function patchOf(
  [from, to]: readonly [string, string],
  old: string,
  made: string,
): string | undefined {
  const isLong = old.length + made.length > MAX_WHOLE_CHARS;
  const start = isLong ? commonStart(old, made) : 0;
  const end = isLong ? commonEnd(old.slice(start), made.slice(start)) : 0;
  const middles = [old, made].map((text) => text.slice(start, text.length - end)) as [
    string,
    string,
  ];
  if (middles.some((text) => linesIn(text) > MAX_LINES)) return undefined;
  const [before, after] = middles;
  const compared = structuredPatch(from, to, before, after, undefined, undefined, {
    context: CONTEXT,
    timeout: MAX_MS,
  });
  const skipped = linesIn(old.slice(0, start));
  const hunks = (compared?.hunks ?? [replacement(before, after)]).map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + skipped,
    newStart: hunk.newStart + skipped,
  }));
  const heads = { oldFileName: from, newFileName: to, oldHeader: undefined, newHeader: undefined };
  return formatPatch({ ...heads, hunks });
}

/** One hunk that replaces all lines between the first and the last change. */
function replacement(before: string, after: string): StructuredPatchHunk {
  const [old, made] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, made.length);
  let same = 0;
  while (same < shorter && old[same] === made[same]) same += 1;
  let sameEnd = 0;
  while (sameEnd < shorter - same && old.at(-1 - sameEnd) === made.at(-1 - sameEnd)) sameEnd += 1;
  const start = Math.max(0, same - CONTEXT);
  const [oldEnd, madeEnd] = [old, made].map((lines) => lines.length - sameEnd) as [number, number];
  const shown = (sign: string, lines: readonly string[]) =>
    lines.flatMap((line) =>
      line.endsWith('\n') ? `${sign}${line.slice(0, -1)}` : [`${sign}${line}`, NO_LINE_BREAK],
    );
  const tail = old.slice(oldEnd, oldEnd + CONTEXT);
  return {
    oldStart: start + 1,
    oldLines: oldEnd + tail.length - start,
    newStart: start + 1,
    newLines: madeEnd + tail.length - start,
    lines: [
      ...shown(' ', old.slice(start, same)),
      ...shown('-', old.slice(same, oldEnd)),
      ...shown('+', made.slice(same, madeEnd)),
      ...shown(' ', tail),
    ],
  };
}

/** With their line breaks. */
const linesOf = (text: string) => (text === '' ? [] : text.split(/(?<=\n)/));

const NO_LINE_BREAK = '\\ No newline at end of file';

/** Length of the lines that both texts begin with, without those that a difference shows as context. */
function commonStart(a: string, b: string): number {
  let start = 0;
  while (start < a.length && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  start = lineStart(a, start);
  for (let line = 0; line < CONTEXT && start > 0; line += 1) start = lineStart(a, start - 1);
  return start;
}

const lineStart = (text: string, at: number): number =>
  at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;

/** The same for the lines that both texts end with. */
function commonEnd(a: string, b: string): number {
  let length = 0;
  const isSame = () => a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length);
  while (length < Math.min(a.length, b.length) && isSame()) length += 1;
  const end = a.slice(a.length - length);
  let at = -1;
  for (let line = 0; line <= CONTEXT; line += 1) {
    at = end.indexOf('\n', at + 1);
    if (at === -1) return 0;
  }
  return end.length - at - 1;
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

const TOO_LARGE: TextDiff = { diff: null, problem: 'too_large' };

/** Undefined if it is not UTF-8 text. A text with U+0000 counts as binary, unless that is allowed. */
export function textOf(
  content: Uint8Array = new Uint8Array(),
  allowsNul = false,
): string | undefined {
  if (!allowsNul && content.includes(0)) return undefined;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return tryOr(() => decoder.decode(content), undefined);
}

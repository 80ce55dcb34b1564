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

/** Undefined if there are too many lines. Compares only the lines between the first and the last change. */
function patchOf(
  [from, to]: readonly [string, string],
  old: string,
  made: string,
): string | undefined {
  const [before, after] = [linesOf(old), linesOf(made)];
  if (Math.max(before.length, after.length) > MAX_LINES) return undefined;
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same += 1;
  let sameEnd = 0;
  while (sameEnd < shorter - same && before.at(-1 - sameEnd) === after.at(-1 - sameEnd))
    sameEnd += 1;
  const start = Math.max(0, same - CONTEXT);
  const middle = (lines: readonly string[]) =>
    lines.slice(start, lines.length - Math.max(0, sameEnd - CONTEXT));
  const [removed, added] = [middle(before), middle(after)];
  const compared = structuredPatch(from, to, removed.join(''), added.join(''), '', '', {
    context: CONTEXT,
    timeout: MAX_MS,
  });
  const around = { first: same - start, last: Math.min(sameEnd, CONTEXT) };
  const hunks = (compared?.hunks ?? [replacement(removed, added, around)]).map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + start,
    newStart: hunk.newStart + start,
  }));
  const heads = { oldFileName: from, newFileName: to, oldHeader: undefined, newHeader: undefined };
  return formatPatch({ ...heads, hunks });
}

/** One hunk that replaces all lines except the first and the last ones, which are equal. */
function replacement(
  old: readonly string[],
  made: readonly string[],
  { first, last }: { readonly first: number; readonly last: number },
): StructuredPatchHunk {
  const shown = (sign: string, lines: readonly string[]) =>
    lines.flatMap((line) =>
      line.endsWith('\n') ? `${sign}${line.slice(0, -1)}` : [`${sign}${line}`, NO_LINE_BREAK],
    );
  return {
    ...{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: made.length },
    lines: [
      ...shown(' ', old.slice(0, first)),
      ...shown('-', old.slice(first, old.length - last)),
      ...shown('+', made.slice(first, made.length - last)),
      ...shown(' ', old.slice(old.length - last)),
    ],
  };
}

/** With their line breaks. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

const NO_LINE_BREAK = '\\ No newline at end of file';

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

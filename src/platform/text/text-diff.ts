import { formatPatch, structuredPatch } from 'diff';
import { tryOr } from '../try-or.ts';

export interface TextDiff {
  /** Unified; null if there is none to show. */
  readonly diff: string | null;
  readonly problem: 'binary' | 'too_large' | null;
}

/** Larger files are not compared. */
const MAX_BYTES = 1024 * 1024;
const MAX_DIFF_CHARS = 256 * 1024;
const MAX_LINES = 200_000;
/** Unchanged lines that are shown around a change. */
const CONTEXT = 4;
/** Comparing two completely different texts takes long. */
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
  if ([old, made].some((text) => text.split('\n', MAX_LINES + 1).length > MAX_LINES))
    return TOO_LARGE;
  const name = /[\p{Cc}\p{Cf}\u2028\u2029"\\]/u.test(shown) ? JSON.stringify(shown) : shown;
  const from = before === undefined ? '/dev/null' : name;
  const to = after === undefined ? '/dev/null' : name;
  const limits = { context: CONTEXT, timeout: MAX_MS };
  const patch = structuredPatch(from, to, old, made, undefined, undefined, limits);
  const diff = patch && formatPatch(patch);
  return diff === undefined || diff.length > MAX_DIFF_CHARS ? TOO_LARGE : { diff, problem: null };
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

import { countLines, createLineSlice } from '../file-io/line-slice.ts';
import { createBoundedOutput } from '../process/bounded-output.ts';

const LF = 0x0a;

/** The end of a text whose middle is not shown. */
export interface Tail {
  /** The line that it begins in, from 1. */
  readonly from_line: number;
  readonly content: string;
}

/** The beginning and the end of a text, with a line between them that says how much is left out. */
export function headAndTail(text: string, maxBytes: number): string {
  const output = createBoundedOutput(maxBytes);
  output.take(Buffer.from(text));
  return output.text();
}

/** Of what one answer may hold, the part that its end gets, in bytes. */
export const tailBytes = (maxBytes: number): number => Math.floor(maxBytes / 4);

/**
 * The end of a text, from a whole line on if there is one.
 *
 * @param end The last bytes of the text, without those that are shown before.
 * @param lines Lines of the whole text.
 */
export function tailOf(end: Buffer, lines: number): Tail {
  const cut = end.indexOf(LF) + 1;
  const isWhole = cut > 0 && cut < end.length;
  const shown = isWhole ? end.subarray(cut) : withoutPartial(end);
  const count = countLines(shown) + (shown.at(-1) === LF ? 0 : 1);
  return { from_line: Math.max(lines - count + 1, 1), content: shown.toString('utf8') };
}

/** Without the rest of a UTF-8 character whose beginning was cut off. */
function withoutPartial(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

export interface CutText {
  readonly content: string;
  readonly from_line?: number;
  /** Where to go on; only if something is left. */
  readonly next_line?: number;
  readonly truncated: boolean;
  readonly tail?: Tail;
}

/** Whole lines of a text from a line on, as many as fit, and its end if the first lines are not all. */
export function cutText(text: string, fromLine: number, maxBytes: number): CutText {
  const bytes = Buffer.from(text);
  if (fromLine === 1 && bytes.length <= maxBytes) return { content: text, truncated: false };
  const forTail = tailBytes(maxBytes);
  const slice = createLineSlice({
    fromLine,
    maxLines: Number.POSITIVE_INFINITY,
    maxBytes: maxBytes - forTail,
  });
  slice.take(bytes);
  const { kept, lines, more, lineCut, skippedBytes } = slice.done();
  const content = new TextDecoder().decode(kept, { stream: lineCut });
  if (!more) return { content, from_line: fromLine, truncated: false };
  const shownTo = skippedBytes + kept.length;
  const next = fromLine + lines;
  const total = slice.seen();
  return {
    content,
    from_line: fromLine,
    ...(next <= total ? { next_line: next } : {}),
    truncated: true,
    tail: tailOf(bytes.subarray(Math.max(shownTo, bytes.length - forTail)), total),
  };
}

import { countLines, createLineSlice, LF } from '../file-io/line-slice.ts';
import { createBoundedOutput, skipPartial } from '../process/bounded-output.ts';

/** The end of a text whose middle is not shown. */
interface Tail {
  /** Its first line, from 1. */
  readonly from_line: number;
  readonly content: string;
}

/** The beginning and the end of a text. A line between them says how much is left out. */
export function headAndTail(text: string, maxBytes: number): string {
  const output = createBoundedOutput(maxBytes);
  output.take(Buffer.from(text));
  return output.text();
}

/** The part of a result that is reserved for the end of a text, in bytes. */
export const tailBytes = (maxBytes: number): number => Math.floor(maxBytes / 4);

/**
 * The end of a text, from the start of a line if there is one.
 *
 * @param end The last bytes of the text that are not shown before.
 * @param lines Number of lines of the whole text.
 */
export function tailOf(end: Buffer, lines: number): Tail {
  const cut = end.indexOf(LF) + 1;
  const isWhole = cut > 0 && cut < end.length;
  const shown = isWhole ? end.subarray(cut) : skipPartial(end);
  const count = countLines(shown) + (shown.at(-1) === LF ? 0 : 1);
  return { from_line: Math.max(lines - count + 1, 1), content: shown.toString('utf8') };
}

interface CutText {
  readonly content: string;
  readonly from_line?: number;
  /** Where to continue, if something is left. */
  readonly next_line?: number;
  readonly truncated: boolean;
  readonly tail?: Tail;
}

/** As many whole lines of a text as fit, from `fromLine` on, and the end of the text if some are left out. */
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

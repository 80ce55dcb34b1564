const LF = 0x0a;

/** Some lines out of a text that comes in pieces. */
export interface LineSlice {
  take(chunk: Buffer): void;
  /** Lines seen so far, an unfinished last one included. */
  seen(): number;
  /** True when nothing that comes later can change the outcome. */
  isSettled(): boolean;
  done(): SliceOutcome;
}

export interface SliceOutcome {
  readonly kept: Buffer;
  readonly lines: number;
  /** Whether there is text behind what was kept. */
  readonly more: boolean;
  /** True where the first line alone did not fit. */
  readonly lineCut: boolean;
  /** Bytes before the first line of the slice, counted from where the text began. */
  readonly skippedBytes: number;
}

export interface SliceLimits {
  /** First line wanted; 1 is the first of the file. */
  readonly fromLine: number;
  readonly maxLines: number;
  readonly maxBytes: number;
  /** Line that the text begins with. */
  readonly startLine: number;
}

/** Collects whole lines up to a number of lines and bytes. A first line that is too long is cut. */
export function createLineSlice(limits: SliceLimits): LineSlice {
  const { fromLine, maxLines, maxBytes, startLine } = limits;
  let line = startLine;
  let fresh = true;
  const parts: Buffer[] = [];
  let held = 0;
  let skippedBytes = 0;
  /** The first line that was not kept whole. */
  let cutLine = Number.POSITIVE_INFINITY;

  /** Goes on to `end`, or to where line `untilLine` begins. */
  const advance = (chunk: Buffer, start: number, end: number, untilLine: number): number => {
    let at = start;
    for (; at < end && line < untilLine; at += 1) if (chunk[at] === LF) line += 1;
    return at;
  };
  const keep = (part: Buffer) => {
    if (part.length > 0) parts.push(Buffer.from(part));
    held += part.length;
  };
  const seen = () => (fresh ? line - 1 : line);

  return {
    take(chunk) {
      if (chunk.length === 0) return;
      const from = advance(chunk, 0, chunk.length, fromLine);
      skippedBytes += from;
      const room = Math.min(chunk.length, from + Math.max(maxBytes - held, 0));
      const to =
        cutLine === Number.POSITIVE_INFINITY
          ? advance(chunk, from, room, fromLine + maxLines)
          : from;
      keep(chunk.subarray(from, to));
      if (to < chunk.length) cutLine = Math.min(cutLine, line);
      advance(chunk, to, chunk.length, Number.POSITIVE_INFINITY);
      fresh = chunk[chunk.length - 1] === LF;
    },
    seen,
    isSettled: () => seen() >= Math.max(cutLine, fromLine + 1),
    done: () => ({
      ...wholeLines(Buffer.concat(parts), cutLine !== Number.POSITIVE_INFINITY),
      skippedBytes,
    }),
  };
}

function wholeLines(kept: Buffer, more: boolean): Omit<SliceOutcome, 'skippedBytes'> {
  const lines = countLines(kept);
  if (!more) return { kept, lines, more, lineCut: false };
  const end = kept.lastIndexOf(LF) + 1;
  if (end > 0) return { kept: kept.subarray(0, end), lines, more, lineCut: false };
  return { kept, lines: 1, more, lineCut: true };
}

/** Line ends in a text. */
export function countLines(text: Buffer): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text[at] === LF) count += 1;
  return count;
}

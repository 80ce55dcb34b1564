export const LF = 0x0a;

export type LineSlice = ReturnType<typeof createLineSlice>;

interface SliceLimits {
  /** First line to keep; 1 is the first of the text. */
  readonly fromLine: number;
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** Collects whole lines of a text that comes in chunks, up to a number of lines and bytes. A first line that is too long is cut. */
export function createLineSlice({ fromLine, maxLines, maxBytes }: SliceLimits) {
  let line = 1;
  let isAtLineStart = true;
  const parts: Buffer[] = [];
  let held = 0;
  let skippedBytes = 0;
  /** The first line that was not kept whole. */
  let cutLine = Number.POSITIVE_INFINITY;

  /** Moves on to `end`, or to the start of line `untilLine`. */
  const advance = (chunk: Buffer, start: number, end: number, untilLine: number): number => {
    let at = start;
    for (; at < end && line < untilLine; at += 1) if (chunk[at] === LF) line += 1;
    return at;
  };
  /** Lines seen so far, including an unfinished last one. */
  const seen = () => (isAtLineStart ? line - 1 : line);

  return {
    take(chunk: Buffer): void {
      if (chunk.length === 0) return;
      const from = advance(chunk, 0, chunk.length, fromLine);
      skippedBytes += from;
      const room = Math.min(chunk.length, from + Math.max(maxBytes - held, 0));
      const isOpen = cutLine === Number.POSITIVE_INFINITY;
      const to = isOpen ? advance(chunk, from, room, fromLine + maxLines) : from;
      if (to > from) parts.push(Buffer.from(chunk.subarray(from, to)));
      held += to - from;
      if (to < chunk.length) cutLine = Math.min(cutLine, line);
      advance(chunk, to, chunk.length, Number.POSITIVE_INFINITY);
      isAtLineStart = chunk[chunk.length - 1] === LF;
    },
    seen,
    /** Whether nothing that follows can change what `done` returns. */
    isSettled: () => cutLine !== Number.POSITIVE_INFINITY,
    /**
     * `more`: there is text after the kept lines. `lineCut`: the first line alone did not fit. `skippedBytes`: bytes before
     * the first kept line.
     */
    done() {
      const kept = Buffer.concat(parts);
      const more = cutLine !== Number.POSITIVE_INFINITY;
      const end = more ? kept.lastIndexOf(LF) + 1 : kept.length;
      const lineCut = more && end === 0;
      const whole = lineCut ? kept : kept.subarray(0, end);
      const lines = lineCut ? 1 : countLines(kept);
      return { kept: whole, lines, more, lineCut, skippedBytes };
    },
  };
}

/** The number of line ends in a text. */
export function countLines(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(LF); at !== -1; at = text.indexOf(LF, at + 1)) count += 1;
  return count;
}

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

  const keep = (part: Buffer) => {
    const room = maxBytes - held;
    if (part.length > room) cutLine = line;
    const kept = part.subarray(0, Math.max(room, 0));
    if (kept.length > 0) parts.push(Buffer.from(kept));
    held += kept.length;
  };
  const takePiece = (piece: Buffer) => {
    if (line < fromLine) skippedBytes += piece.length;
    else if (line >= fromLine + maxLines) cutLine = Math.min(cutLine, line);
    else if (line <= cutLine && held < maxBytes) keep(piece);
    else cutLine = Math.min(cutLine, line);
  };
  const seen = () => (fresh ? line - 1 : line);

  return {
    take(chunk) {
      for (let start = 0; start < chunk.length; ) {
        const end = chunk.indexOf(LF, start);
        const next = end === -1 ? chunk.length : end + 1;
        takePiece(chunk.subarray(start, next));
        fresh = end !== -1;
        if (fresh) line += 1;
        start = next;
      }
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
  for (let at = text.indexOf(LF); at !== -1; at = text.indexOf(LF, at + 1)) count += 1;
  return count;
}

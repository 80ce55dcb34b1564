import { isUtf8 } from 'node:buffer';

const LF = 0x0a;
const CR = 0x0d;
const FIRST_HOLD_BYTES = 16 * 1024;
const KEPT_HOLD_BYTES = 256 * 1024;

/** Default length limit of a line, in bytes. */
export const DEFAULT_LINE_BYTES = 4 * 1024 * 1024;

export interface LineSplitterOptions {
  /** One line without its LF or CRLF. The buffer is only valid during the call. */
  readonly onLine: (line: Buffer) => void;
  /** Called when a line exceeds `maxBytes`; all further input is discarded. */
  readonly onTooLong: () => void;
  /** Longest line accepted, in bytes. Default 4 MiB. */
  readonly maxBytes?: number;
}

/**
 * Splits a byte stream into lines at 0x0A only: U+2028, a bare CR and multi-byte characters across chunks
 * are not split. One CR before the LF is dropped.
 *
 * Not `node:readline`, which has no length limit: a capsule that never ends its line would fill the memory. Here, a
 * line is rejected before more than `maxBytes` of it are buffered, and the time is linear in the size for any chunks.
 */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  readonly #maxBytes: number;
  #hold: Buffer = Buffer.alloc(0);
  #held = 0;
  #broken = false;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? DEFAULT_LINE_BYTES;
  }

  push(chunk: Buffer): void {
    let start = 0;
    let end = chunk.indexOf(LF);
    while (end !== -1 && !this.#broken) {
      this.#emit(chunk, start, end);
      start = end + 1;
      end = chunk.indexOf(LF, start);
    }
    if (!this.#broken && start < chunk.length) this.#keep(chunk, start, chunk.length);
  }

  /** Emits the text after the last LF, if any. */
  end(): void {
    if (this.#broken || this.#held === 0) return;
    const line = this.#hold.subarray(0, this.#held);
    this.#held = 0;
    this.#options.onLine(withoutCr(line));
  }

  #emit(chunk: Buffer, start: number, end: number): void {
    if (this.#held > 0) {
      if (this.#keep(chunk, start, end)) this.end();
      if (this.#hold.length > KEPT_HOLD_BYTES) this.#hold = Buffer.alloc(0);
    } else if (end - start > this.#maxBytes) this.#refuse();
    else this.#options.onLine(withoutCr(chunk.subarray(start, end)));
  }

  #keep(chunk: Buffer, start: number, end: number): boolean {
    const needed = this.#held + end - start;
    if (needed > this.#maxBytes) {
      this.#refuse();
      return false;
    }
    if (needed > this.#hold.length) this.#grow(needed);
    chunk.copy(this.#hold, this.#held, start, end);
    this.#held = needed;
    return true;
  }

  /** Doubles the buffer, so that a line sent byte by byte takes linear time. */
  #grow(needed: number): void {
    const size = Math.max(FIRST_HOLD_BYTES, Math.min(needed * 2, this.#maxBytes));
    const larger = Buffer.allocUnsafeSlow(size);
    this.#hold.copy(larger, 0, 0, this.#held);
    this.#hold = larger;
  }

  #refuse(): void {
    this.#broken = true;
    this.#held = 0;
    this.#hold = Buffer.alloc(0);
    this.#options.onTooLong();
  }
}

function withoutCr(line: Buffer): Buffer {
  return line[line.length - 1] === CR ? line.subarray(0, -1) : line;
}

/** The text of a line, or undefined if its bytes are not UTF-8. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** One message as one line. `JSON.stringify` escapes any line break inside a string. */
export const toLine = (message: unknown): string => `${JSON.stringify(message)}\n`;

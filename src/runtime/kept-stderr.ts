import { ByteTail } from './byte-tail.ts';

const KEPT_BYTES = 64 * 1024;
/** Of a secret that was cut at the beginning, what is left is not known: so much is kept beside the rest, and dropped. */
const MARGIN_BYTES = 16 * 1024;

/** Keeps the last 64 KiB of a stderr. */
export class KeptStderr {
  readonly #tail = new ByteTail(MARGIN_BYTES + KEPT_BYTES);

  push(chunk: Buffer): void {
    this.#tail.push(chunk);
  }

  /**
   * What is kept, without secrets. The first line of a cut one says how much is left out.
   *
   * @param clean Removes known secrets.
   */
  text(clean: (text: string) => string): string {
    const dropped = this.#tail.droppedBytes;
    const bytes = this.#tail.bytes();
    const whole = clean(bytes.toString('utf8'));
    const over = Math.max(0, Buffer.byteLength(whole) - KEPT_BYTES);
    // Before the first secret that is known, positions are those of the bytes that came: no part of one is behind the margin.
    const left = Math.max(dropped > 0 ? MARGIN_BYTES : 0, over);
    if (left === 0) return whole;
    const kept = Buffer.from(whole)
      .subarray(left)
      .toString('utf8')
      .replace(/^\ufffd+/, '');
    return `${leftOut(dropped + left, 'bytes')}${kept}`;
  }
}

/** The end of a stderr, at most so many characters; where it is cut, a line before them says so. */
export const shownStderr = (text: string, maxChars: number): string =>
  text.length <= maxChars
    ? text
    : `${leftOut(text.length - maxChars, 'characters')}${text.slice(-maxChars)}`;

const leftOut = (count: number, what: string): string =>
  `[${count} ${what} before this are left out]\n`;

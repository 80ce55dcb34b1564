const KEPT_BYTES = 64 * 1024;
/** The rest of a secret that was cut at the start can't be recognised, so this many additional bytes are kept and then dropped. */
const MARGIN_BYTES = 16 * 1024;
/** As many parts are joined: many small ones take more memory than their bytes. */
const MAX_PARTS = 16;

/** Keeps the last 64 KiB of a stderr. */
export class KeptStderr {
  #parts: Buffer[] = [];
  #total = 0;

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    this.#parts.push(chunk);
    if (this.#parts.length === MAX_PARTS) this.#parts = [this.#tail()];
  }

  /**
   * The kept text, without secrets. If it was cut, its first line says how much was left out.
   *
   * @param clean Redacts known secrets.
   */
  text(clean: (text: string) => string): string {
    const bytes = this.#tail();
    const dropped = this.#total - bytes.length;
    const whole = clean(bytes.toString('utf8'));
    const over = Math.max(0, Buffer.byteLength(whole) - KEPT_BYTES);
    // Redaction does not move positions before the first known secret, so no part of a secret is after the margin.
    const left = Math.max(dropped > 0 ? MARGIN_BYTES : 0, over);
    if (left === 0) return whole;
    const kept = Buffer.from(whole)
      .subarray(left)
      .toString('utf8')
      .replace(/^\ufffd+/, '');
    return `${leftOut(dropped + left, 'bytes')}${kept}`;
  }

  #tail(): Buffer {
    return Buffer.concat(this.#parts).subarray(-(MARGIN_BYTES + KEPT_BYTES));
  }
}

/** The last `maxChars` characters of a stderr; if it is cut, a line before them says so. */
export const shownStderr = (text: string, maxChars: number): string =>
  text.length <= maxChars
    ? text
    : `${leftOut(text.length - maxChars, 'characters')}${text.slice(-maxChars)}`;

const leftOut = (count: number, what: string): string =>
  `[${count} ${what} before this were left out]\n`;

const KEPT_BYTES = 64 * 1024;
/** The rest of a secret that was cut at the start can't be recognised, so this many additional bytes are kept and then dropped. */
const MARGIN_BYTES = 16 * 1024;

/** Keeps the last 64 KiB of a stderr. */
export class KeptStderr {
  readonly #tail = new ByteTail(MARGIN_BYTES + KEPT_BYTES);

  push(chunk: Buffer): void {
    this.#tail.push(chunk);
  }

  /**
   * The kept text, without secrets. If it was cut, its first line says how much was left out.
   *
   * @param clean Redacts known secrets.
   */
  text(clean: (text: string) => string): string {
    const dropped = this.#tail.droppedBytes;
    const bytes = this.#tail.bytes();
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
}

/** The last `maxChars` characters of a stderr; if it is cut, a line before them says so. */
export const shownStderr = (text: string, maxChars: number): string =>
  text.length <= maxChars
    ? text
    : `${leftOut(text.length - maxChars, 'characters')}${text.slice(-maxChars)}`;

const leftOut = (count: number, what: string): string =>
  `[${count} ${what} before this were left out]\n`;

/** Keeps the last `maxBytes` of a stream, in a buffer that is allocated at the first byte. */
export class ByteTail {
  readonly #maxBytes: number;
  #ring: Buffer | undefined;
  #total = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#ring ??= Buffer.allocUnsafeSlow(this.#maxBytes);
    const kept = chunk.length > this.#maxBytes ? chunk.subarray(-this.#maxBytes) : chunk;
    this.#total += chunk.length - kept.length;
    const at = this.#total % this.#maxBytes;
    const first = kept.copy(this.#ring, at);
    if (first < kept.length) kept.copy(this.#ring, 0, first);
    this.#total += kept.length;
  }

  /** Number of bytes before the kept ones. */
  get droppedBytes(): number {
    return Math.max(0, this.#total - this.#maxBytes);
  }

  /** The kept bytes, oldest first. */
  bytes(): Buffer {
    if (this.#ring === undefined) return Buffer.alloc(0);
    if (this.#total <= this.#maxBytes) return this.#ring.subarray(0, this.#total);
    const at = this.#total % this.#maxBytes;
    return Buffer.concat([this.#ring.subarray(at), this.#ring.subarray(0, at)]);
  }
}

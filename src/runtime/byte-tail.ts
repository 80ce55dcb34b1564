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

/** A stopwatch that runs only while the capsule works. */
export class OwnTime {
  readonly #limitMs: number;
  readonly #onUsedUp: () => void;
  #usedMs = 0;
  #sinceMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(limitMs: number, onUsedUp: () => void) {
    this.#limitMs = limitMs;
    this.#onUsedUp = onUsedUp;
  }

  run(): void {
    if (this.#stopped || this.#sinceMs !== undefined) return;
    this.#sinceMs = performance.now();
    if (this.#usedMs >= this.#limitMs) this.#onUsedUp();
    else if (this.#timer === undefined) this.#arm();
  }

  /** Leaves the timer running: checking again when it fires is cheaper than resetting it at every intent. */
  pause(): void {
    if (this.#sinceMs === undefined) return;
    this.#usedMs += performance.now() - this.#sinceMs;
    this.#sinceMs = undefined;
  }

  stop(): void {
    this.pause();
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #leftMs(): number {
    const runningMs = this.#sinceMs === undefined ? 0 : performance.now() - this.#sinceMs;
    return this.#limitMs - this.#usedMs - runningMs;
  }

  #arm(): void {
    this.#timer = setTimeout(() => this.#look(), Math.min(this.#leftMs() + 1, 2 ** 31 - 1));
  }

  /** Reads pending output first, because this process may have been busy. */
  #look(): void {
    this.#timer = undefined;
    if (this.#leftMs() > 0) {
      if (this.#sinceMs !== undefined) this.#arm();
      return;
    }
    setImmediate(() => {
      if (!this.#stopped && this.#sinceMs !== undefined) this.#onUsedUp();
    });
  }
}

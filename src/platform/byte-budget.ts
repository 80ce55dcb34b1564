/** Maximum bytes of results in memory that are not replied yet, of an attempt and of this process. */
export const MAX_ATTEMPT_BYTES = 4 * 1024 * 1024;
const MAX_PROCESS_BYTES = 16 * 1024 * 1024;

export interface ByteRequest {
  /** The owner of the result: the same object for every call of an attempt. */
  readonly attempt: object;
  /** Maximum size of the result. */
  readonly bytes: number;
  /** Aborting ends the wait. */
  readonly signal: AbortSignal;
}

interface Waiter {
  readonly request: ByteRequest;
  readonly start: () => void;
}

const held = { process: 0, attempts: new WeakMap<object, number>() };
const queue = new Set<Waiter>();

/**
 * Reserves memory for a result; the returned function releases it. If there is none, waits for other calls, each of
 * which ends within the time limit of its tool. First come, first served within an attempt; other attempts are skipped if
 * they don't fit.
 */
export function reserveBytes(request: ByteRequest): (() => void) | Promise<() => void> {
  if (request.signal.aborted) return () => {};
  if (fits(request) && !isWaiting(request.attempt)) return take(request);
  return new Promise((resolve) => {
    const { signal } = request;
    const waiter: Waiter = {
      request,
      start() {
        signal.removeEventListener('abort', leave);
        resolve(take(request));
      },
    };
    const leave = () => {
      queue.delete(waiter);
      resolve(() => {});
    };
    signal.addEventListener('abort', leave, { once: true });
    queue.add(waiter);
  });
}

/** Reserves memory when earlier results are read. `waitForReader` returns a promise while some are not. */
export async function reserveForReader(
  request: ByteRequest,
  waitForReader: () => Promise<void> | undefined = () => undefined,
): Promise<() => void> {
  for (;;) {
    const release = await reserveBytes(request);
    const read = request.signal.aborted ? undefined : waitForReader();
    if (read === undefined) return release;
    // The memory is free for others until the earlier results are read.
    release();
    await read;
  }
}

const ofAttempt = (attempt: object): number => held.attempts.get(attempt) ?? 0;

/** A result that is larger than the limit is read alone. */
const fitsIn = (max: number, used: number, bytes: number) => used === 0 || used + bytes <= max;

const fits = ({ attempt, bytes }: ByteRequest): boolean =>
  fitsIn(MAX_PROCESS_BYTES, held.process, bytes) &&
  fitsIn(MAX_ATTEMPT_BYTES, ofAttempt(attempt), bytes);

const isWaiting = (attempt: object): boolean =>
  [...queue].some(({ request }) => request.attempt === attempt);

function take({ attempt, bytes }: ByteRequest): () => void {
  add(attempt, bytes);
  return () => {
    add(attempt, -bytes);
    // Lets the event loop send the reply first.
    if (queue.size > 0) setImmediate(startWaiting);
  };
}

function add(attempt: object, bytes: number): void {
  held.process += bytes;
  held.attempts.set(attempt, ofAttempt(attempt) + bytes);
}

function startWaiting(): void {
  const blocked = new Set<object>();
  for (const waiter of queue) {
    const { request } = waiter;
    if (blocked.has(request.attempt) || !fits(request)) {
      blocked.add(request.attempt);
      continue;
    }
    queue.delete(waiter);
    waiter.start();
  }
}

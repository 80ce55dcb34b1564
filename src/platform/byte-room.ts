import { setMaxListeners } from 'node:events';

/** Most bytes of results that are read and not yet replied at a time: of one attempt, and of the whole process. */
const MOST_BYTES = { attempt: 4 * 1024 * 1024, process: 16 * 1024 * 1024 } as const;

export interface RoomRequest {
  /** Whose result it is: the same object for every call of an attempt. */
  readonly attempt: object;
  /** Most that the result may have. */
  readonly bytes: number;
  /** When it aborts, the wait is over: a call that was cancelled reads nothing. */
  readonly signal: AbortSignal;
}

interface Waiter {
  readonly request: RoomRequest;
  readonly start: () => void;
}

const held = { process: 0, attempts: new WeakMap<object, number>() };
const queue = new Set<Waiter>();

/**
 * Takes room for a result; the returned function gives it back. Where there is none, waits for calls that have it, each of
 * which ends within the time limit of its tool. In order of asking, except past an attempt that has all it may have.
 */
export function takeRoom(request: RoomRequest): (() => void) | Promise<() => void> {
  if (request.signal.aborted) return () => {};
  if (fits(request)) return take(request);
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
    setMaxListeners(0, signal);
    signal.addEventListener('abort', leave, { once: true });
    queue.add(waiter);
  });
}

const ofAttempt = (attempt: object): number => held.attempts.get(attempt) ?? 0;

/** A result that is larger than all the room has it alone. */
const fitsIn = (most: number, used: number, bytes: number) => used === 0 || used + bytes <= most;

const fits = ({ attempt, bytes }: RoomRequest): boolean =>
  fitsIn(MOST_BYTES.process, held.process, bytes) &&
  fitsIn(MOST_BYTES.attempt, ofAttempt(attempt), bytes);

function take({ attempt, bytes }: RoomRequest): () => void {
  add(attempt, bytes);
  return () => {
    add(attempt, -bytes);
    // A turn of the event loop lets the reply go out first.
    if (queue.size > 0) setImmediate(startWaiting);
  };
}

function add(attempt: object, bytes: number): void {
  held.process += bytes;
  held.attempts.set(attempt, ofAttempt(attempt) + bytes);
}

function startWaiting(): void {
  for (const waiter of queue) {
    if (!fits(waiter.request)) continue;
    queue.delete(waiter);
    waiter.start();
  }
}

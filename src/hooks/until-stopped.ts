import { withDeadline } from '../platform/with-deadline.ts';

interface Limits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * The result of a hook's work, which itself is not stopped.
 *
 * @throws Error at the deadline, or when the caller of the hook has ended.
 */
export const untilStopped = <T>({ timeoutMs, signal }: Limits, work: Promise<T>): Promise<T> =>
  withDeadline(signal, timeoutMs, (ending) => {
    const stopped = new Promise<never>((_, reject) => {
      const late = `it gave no answer within ${timeoutMs} ms`;
      const stop = () => reject(new Error(signal.aborted ? 'the run ended first' : late));
      if (ending.aborted) stop();
      ending.addEventListener('abort', stop);
    });
    return Promise.race([work, stopped]);
  });

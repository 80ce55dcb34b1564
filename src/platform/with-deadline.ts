/**
 * Runs `work` with a signal that aborts when `signal` does, or with a `TimeoutError` after `ms` milliseconds. The timer
 * and the listener are removed when the work ends.
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const stop = () => ending.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  const timer = setTimeout(() => ending.abort(timeoutAfter(ms)), ms);
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

const timeoutAfter = (ms: number) =>
  new DOMException(`It did not finish within ${ms} ms.`, 'TimeoutError');

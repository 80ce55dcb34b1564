/**
 * Does `work` with a signal that aborts when `signal` does, or with a `TimeoutError` after `ms` milliseconds. When the
 * work is over nothing of it is left: neither a timer nor a listener.
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
  new DOMException(`It was not done within ${ms} ms.`, 'TimeoutError');

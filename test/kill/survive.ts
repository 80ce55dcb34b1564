import type { Books } from './books.ts';
import { problemsOf } from './problems-of.ts';
import type { Resumed, Resumer } from './resumer.ts';

/** More mean that the run makes no progress. */
const MAX_TIMES = 6;

/** Continues undisturbed until the run has ended; returns the violated guarantees. */
export async function endOf(
  books: Books,
  resumer: Resumer,
  { mayWait = false, isReal = false } = {},
): Promise<readonly string[]> {
  const times: Resumed[] = [];
  while (times.length < MAX_TIMES) {
    await books.answerAll();
    const resumed = await resumer.resume(books, { isReal });
    if (resumed.ended && resumed.ended.status !== 'parked') {
      const { status, reason } = resumed.ended;
      const wrong = status === 'completed' ? [] : [`it ended ${status} (${reason})`];
      return [...wrong, ...problemsOf(books, { mayWait })];
    }
    times.push(resumed);
  }
  return [`it did not end after ${MAX_TIMES} times: ${JSON.stringify(times)}`];
}

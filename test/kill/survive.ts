import { type Books, type Life, type LifeOptions, live } from './books.ts';
import { problemsOf } from './problems-of.ts';

/** Maximum number of processes: more mean that the run makes no progress. */
const MAX_LIVES = 6;

/** Continues undisturbed until the run has ended; returns the violated guarantees. */
export async function endOf(
  books: Books,
  options: LifeOptions,
  { mayWait = false } = {},
): Promise<readonly string[]> {
  const lives: Life[] = [];
  while (lives.length < MAX_LIVES) {
    await books.answerAll();
    const life = await live(books, options);
    if (life.ended && life.ended.status !== 'parked') {
      const { status, reason } = life.ended;
      const wrong = status === 'completed' ? [] : [`it ended ${status} (${reason})`];
      return [...wrong, ...problemsOf(books, { mayWait })];
    }
    lives.push(life);
  }
  return [`it did not end in ${MAX_LIVES} lives: ${JSON.stringify(lives)}`];
}

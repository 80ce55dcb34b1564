import { type Books, type Life, type LifeOptions, live } from './books.ts';
import { problemsOf } from './problems-of.ts';

/** So many lives at most: more mean that the run goes round in circles. */
const MAX_LIVES = 6;

/** Lives on, undisturbed, until the run has ended; gives what does not hold then. */
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

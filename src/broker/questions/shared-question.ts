import { AppError } from '../../contract/errors.ts';
import type { AttemptScope } from '../intent/scope.ts';
import type { Settlement } from './settlement.ts';

type Where = Pick<AttemptScope, 'run' | 'signal' | 'pause'>;

/**
 * Asks a question of a run once: whoever comes while it waits gets the same answer, with its concurrency slot free for
 * others. Where the attempt that asked is ended first, the next one asks again.
 *
 * @throws AppError `CANCELLED`.
 */
export async function shareQuestion(
  where: Where,
  key: string,
  ask: () => Promise<Settlement>,
): Promise<Settlement> {
  const { spendConsents: asked } = where.run;
  for (let standing = asked.get(key); standing !== undefined; standing = asked.get(key)) {
    const answer = await answerOf(standing, where);
    if (answer) return answer;
    if (asked.get(key) === standing) asked.delete(key);
  }
  const settling = ask();
  asked.set(key, settling);
  try {
    return await settling;
  } catch (error) {
    if (asked.get(key) === settling) asked.delete(key);
    throw error;
  }
}

/** Undefined where whoever asked was ended before there was an answer. */
async function answerOf(
  standing: Promise<Settlement>,
  { signal, pause }: Where,
): Promise<Settlement | undefined> {
  const { promise: ended, resolve } = withResolver<'ended'>();
  const stop = () => resolve('ended');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const answer = await pause(() => Promise.race([standing.catch(() => undefined), ended]));
    if (answer === 'ended') throw new AppError('CANCELLED', { what: 'The wait for an answer' });
    return answer;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function withResolver<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

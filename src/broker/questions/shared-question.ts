import { AppError } from '../../contract/errors.ts';
import type { Permission } from '../../policy/decide/decision.ts';
import { orAborted } from '../../tools/define/call.ts';
import type { AttemptScope } from '../intent/scope.ts';

type Asker = Pick<AttemptScope, 'run' | 'signal' | 'pause'>;

/**
 * Asks a question once per run: other attempts that need it wait for the same answer, with their concurrency
 * slots free. If the attempt that asked ends first, the next one asks again.
 *
 * @throws AppError `CANCELLED`.
 */
export async function shareQuestion(
  asker: Asker,
  key: string,
  ask: () => Promise<Permission>,
): Promise<Permission> {
  const { spendConsents: asked } = asker.run;
  for (let pending = asked.get(key); pending !== undefined; pending = asked.get(key)) {
    const answer = await answerOf(pending, asker);
    if (answer) return answer;
    if (asked.get(key) === pending) asked.delete(key);
  }
  const asking = ask();
  asked.set(key, asking);
  try {
    return await asking;
  } catch (error) {
    if (asked.get(key) === asking) asked.delete(key);
    throw error;
  }
}

/** Undefined if the attempt that asked ended before it was answered. */
async function answerOf(
  pending: Promise<Permission>,
  { signal, pause }: Asker,
): Promise<Permission | undefined> {
  const cancelled = new AppError('CANCELLED', { what: 'The wait for an answer' });
  if (signal.aborted) throw cancelled;
  return pause(() =>
    orAborted(
      pending.catch(() => undefined),
      signal,
    ).catch(() => Promise.reject(cancelled)),
  );
}

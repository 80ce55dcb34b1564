import type { NumberedEvent, TextDelta } from '../../../contract/event.ts';
import { usage } from '../../../contract/usage.ts';
import type { FollowOptions } from '../../../coordinator/events/follow-events.ts';
import type { AppContext } from '../../context/open-context.ts';

/** Implements `runs.follow`. */
export function followRunEvents(
  context: AppContext,
  id: string,
  options: FollowOptions = {},
): AsyncIterableIterator<NumberedEvent | TextDelta> {
  const { signal } = options;
  const leaving = new AbortController();
  const ending = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal;
  const events = readEvents(context, id, { ...options, signal: ending });
  return {
    next: () => events.next(),
    // A generator alone would handle `return` only after the next event.
    return() {
      leaving.abort();
      return events.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* readEvents(
  context: AppContext,
  id: string,
  options: FollowOptions,
): AsyncGenerator<NumberedEvent | TextDelta, void, void> {
  const { after = 0 } = options;
  if (!Number.isSafeInteger(after) || after < 0) {
    const problem = `\`after\` is ${after}; it must be the number of an event, or 0.`;
    throw usage(problem);
  }
  const stores = await context.stores();
  const { findRun } = await import('../find-run.ts');
  const { followEvents } = await import('../../../coordinator/events/follow-events.ts');
  const run = await findRun(context, id);
  yield* followEvents(stores, run.id, options);
}

import { AppError } from '../../contract/errors.ts';
import type { NumberedEvent } from '../../contract/event.ts';
import type { FollowOptions } from '../../coordinator/follow-events.ts';
import type { AppContext } from '../app-context.ts';
import { workspaceOf } from './workspace-of.ts';

/** `runs.follow`: see there. */
export async function* followRunEvents(
  context: AppContext,
  id: string,
  options: FollowOptions = {},
): AsyncGenerator<NumberedEvent, void, void> {
  const { after = 0 } = options;
  if (!Number.isSafeInteger(after) || after < 0) {
    const problem = `\`after\` is ${after}; it must be the number of an event, or 0.`;
    throw new AppError('USAGE', { problem });
  }
  const stores = await context.stores();
  const { findRunToRead } = await import('../../coordinator/find-run.ts');
  const { followEvents } = await import('../../coordinator/follow-events.ts');
  const run = await findRunToRead(stores.runs, id, () => workspaceOf(context));
  yield* followEvents(stores, run.id, options);
}

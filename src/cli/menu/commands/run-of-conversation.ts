import { usage } from '../../../contract/usage.ts';
import type { MenuContext } from '../program/create-context.ts';

/** Maximum number of runs checked for changes. */
const MAX_RUNS = 20;

/**
 * Returns the newest run of the conversation that changed files, or its newest run if none did. A question that was asked
 * after a change does not hide it from `/diff` and `/undo`.
 *
 * @throws AppError `USAGE` if it has no run.
 */
export async function runOfConversation({
  conversation,
  capstan,
}: Pick<MenuContext, 'conversation' | 'capstan'>): Promise<string> {
  const session = conversation.sessionId();
  const { runs } = session === undefined ? { runs: [] } : await capstan.sessions.get(session);
  const newest = runs.slice(-MAX_RUNS).reverse();
  for (const { id } of newest) {
    if ((await capstan.runs.diff(id)).files.length > 0) return id;
  }
  if (newest[0]) return newest[0].id;
  throw usage('This conversation has no run yet. /runs lists earlier ones.');
}

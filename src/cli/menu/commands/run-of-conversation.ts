import { AppError } from '../../../contract/errors.ts';
import type { MenuContext } from '../menu-context.ts';

/** The newest run of the conversation, else of its session. @throws AppError `USAGE` if there is none. */
export async function runOfConversation({
  conversation,
  capstan,
}: Pick<MenuContext, 'conversation' | 'capstan'>): Promise<string> {
  const running = conversation.runId();
  if (running !== undefined) return running;
  const session = conversation.sessionId();
  const newest =
    session === undefined ? undefined : (await capstan.sessions.get(session)).runs.at(-1)?.id;
  if (newest !== undefined) return newest;
  throw new AppError('USAGE', {
    problem: 'This conversation has no run yet. /runs lists earlier ones.',
  });
}

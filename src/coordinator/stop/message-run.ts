import { AppError } from '../../contract/errors.ts';
import { MAX_TASK_CHARS } from '../../contract/limits.ts';
import { usage } from '../../contract/usage.ts';
import { commitEvent } from '../events/run-events.ts';
import type { Stores } from '../store/create-stores.ts';
import type { RunMessage } from '../store/message-store.ts';

/** How many characters of a message its event shows. */
const SHOWN_LENGTH = 500;

/**
 * Stores a message to a run that has not ended, or that failed and can be resumed.
 *
 * @param by The surface, for the audit: `cli`.
 * @throws AppError `RUN_UNKNOWN`; `RUN_ENDED` if it completed or was cancelled; `USAGE` if the text is empty or has more
 *   than `MAX_TASK_CHARS` characters.
 */
export function messageRun(
  stores: Stores,
  runId: string,
  { text, by }: { readonly text: string; readonly by: string },
): RunMessage {
  if (text.trim() === '') throw usage('The message is empty.');
  if (text.length > MAX_TASK_CHARS)
    throw usage(`The message has ${text.length} characters; ${MAX_TASK_CHARS} are allowed.`);
  const { runs, messages } = stores;
  let message: RunMessage | undefined;
  commitEvent(stores, () => {
    const run = runs.find(runId);
    if (!run) throw new AppError('RUN_UNKNOWN', { id: runId });
    const { status } = run;
    if (status === 'completed' || status === 'cancelled')
      throw new AppError('RUN_ENDED', { id: runId, status, what: 'take a message' });
    message = messages.add({ runId, text: text.toWellFormed(), by });
    const { id: message_id, by: sender } = message;
    const shown = message.text.slice(0, SHOWN_LENGTH);
    return { type: 'message.received', run_id: runId, message_id, by: sender, text: shown };
  });
  if (!message) throw new Error('the message was not written');
  return message;
}

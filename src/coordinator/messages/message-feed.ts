import type { MessageFeed } from '../../broker/intent/scope.ts';
import type { MessageStore } from '../store/message-store.ts';

/**
 * The messages of a run that one attempt has not received yet, read again at each reply, since any process may add one.
 *
 * @param given Texts of messages that are in the attempt's request.
 */
export function createMessageFeed(
  messages: Pick<MessageStore, 'of'>,
  runId: string,
  given: readonly string[],
): MessageFeed {
  /** Texts that the attempt has, and whose rows were not read yet. */
  const known = [...given];
  let left: string[] = [];
  let lastSeq = 0;
  const look = () => {
    for (const { seq, text } of messages.of(runId)) {
      if (seq <= lastSeq) continue;
      lastSeq = seq;
      if (!removeFrom(known, text)) left.push(text);
    }
  };
  return {
    addTo(outcome) {
      look();
      if (left.length === 0) return outcome;
      const all = [...(outcome.messages ?? []), ...left];
      left = [];
      return { ...outcome, messages: all };
    },
    recall(outcome) {
      for (const text of outcome.messages ?? []) if (!removeFrom(left, text)) known.push(text);
    },
  };
}

/** False if it is not in the list. */
function removeFrom(texts: string[], text: string): boolean {
  const at = texts.indexOf(text);
  if (at !== -1) texts.splice(at, 1);
  return at !== -1;
}

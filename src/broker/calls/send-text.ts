import type { TextDelta } from '../../contract/event.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import { aboutIntent } from '../intent/record.ts';
import type { MoneyParts } from '../money/payment.ts';

export type TextSender = ReturnType<typeof createTextSender>;

/** At most 19 pieces a second are sent. */
const INTERVAL_MS = 55;

const MAX_CHARS = 1_000_000;

/**
 * Sends the text of one answer, or the output of one command, to followers while it arrives: collects the pieces, and sends
 * them redacted.
 *
 * @param afterMs Nothing is sent before, so that a short command sends nothing. Default: the first piece is sent immediately.
 */
export function createTextSender(
  type: TextDelta['type'],
  intent: IntentRecord,
  { events, redactor }: Pick<MoneyParts, 'events' | 'redactor'>,
  afterMs = 0,
) {
  let held = '';
  let sentChars = 0;
  let sentMs = performance.now() + afterMs - INTERVAL_MS;
  let timer: NodeJS.Timeout | undefined;

  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const emit = (text: string) => {
    if (text === '') return;
    events.emitDelta({ type, ...aboutIntent(intent), from: sentChars, text });
    sentChars += text.length;
    sentMs = performance.now();
  };
  const send = () => {
    stop();
    const { clean, rest } = redactor.redactStart(held);
    held = rest;
    emit(clean);
  };
  return {
    add(text: string): void {
      if (sentChars + held.length > MAX_CHARS) return;
      held += text;
      // Pieces that arrived together are sent together.
      timer ??= setTimeout(send, Math.max(0, sentMs + INTERVAL_MS - performance.now()));
    },
    /** The call is retried, or has ended: the following text, if any, replaces the text sent so far. */
    restart(): void {
      stop();
      held = '';
      sentChars = 0;
    },
    /** Sends the rest of a complete text. */
    end(): void {
      stop();
      emit(redactor.redact(held));
      held = '';
    },
  };
}

import type { TextDelta } from '../../contract/event.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import { aboutIntent } from '../intent/record.ts';
import type { MoneyParts } from '../money/payment.ts';

export type TextSender = ReturnType<typeof createTextSender>;

/** At most 19 pieces a second are sent. */
const INTERVAL_MS = 55;

/** The longest text that is sent to followers. */
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
  let soon: NodeJS.Immediate | undefined;

  const stop = () => {
    clearTimeout(timer);
    clearImmediate(soon);
    timer = undefined;
    soon = undefined;
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
      const waitMs = sentMs + INTERVAL_MS - performance.now();
      // Pieces that arrived together are sent together.
      if (waitMs <= 0) soon ??= setImmediate(send);
      else timer ??= setTimeout(send, waitMs);
    },
    /** The call is retried, or has ended: the following text, if any, replaces the text sent so far. */
    restart(): void {
      stop();
      held = '';
      sentChars = 0;
    },
    end(): void {
      stop();
      emit(redactor.redact(held));
      held = '';
    },
  };
}

import type { IntentReply } from '../contract/wire/protocol.ts';

/** The replacement for a reply that does not fit on a line. */
export function withoutContent({ type, id }: IntentReply, maxBytes: number): IntentReply {
  const message = `The answer is longer than a line may be (${maxBytes} bytes). Ask for less.`;
  const error = { code: 'REPLY_TOO_LONG', message };
  const known = id === undefined ? { error } : { id, error };
  return type === 'tool_call_result'
    ? { type, ok: false, ...known }
    : { type, approved: true, note: message, ...known };
}

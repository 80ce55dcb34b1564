import { AppError, messageOf } from '../errors.ts';
import type { IntentReply, WireError } from './coordinator-messages.ts';
import type { Intent } from './protocol.ts';

/** An error as the capsule gets it. */
export const wireError = (error: unknown): WireError => ({
  code: error instanceof AppError ? error.code : 'TOOL_FAILED',
  message: messageOf(error),
});

/** The reply with the error of an intent that was not performed. */
export function errorReply(intent: Intent, { code, message }: WireError): IntentReply {
  const error = { code, message };
  return intent.type === 'tool_call_intent'
    ? { type: 'tool_call_result', ok: false, error }
    : { type: 'api_call_decision', approved: false, note: message, error };
}

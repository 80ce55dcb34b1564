import { AppError } from '../contract/errors.ts';
import type { Intent, IntentReply } from '../contract/protocol.ts';
import { answerApiCall } from './calls/chat.ts';
import type { BrokerParts } from './calls/parts.ts';
import { answerToolCall } from './calls/tool.ts';
import type { AttemptScope } from './intent/scope.ts';

export interface Broker {
  /** Decides, performs and journals one intent; what it answers is without secrets. Never throws: a failure is an answer too. */
  answer(intent: Intent, scope: AttemptScope): Promise<IntentReply>;
}

/** The only place where a wish becomes an effect. */
export function createBroker(parts: BrokerParts): Broker {
  return {
    async answer(intent, scope) {
      return parts.redactor.redact(await answer(intent, scope, parts));
    },
  };
}

async function answer(
  intent: Intent,
  scope: AttemptScope,
  parts: BrokerParts,
): Promise<IntentReply> {
  scope.tally.intents += 1;
  if (scope.attemptId !== null && scope.tally.intents > parts.maxIntents) {
    const error = new AppError('TOO_MANY_INTENTS', { limit: parts.maxIntents });
    scope.end(error);
    return refusal(intent, error);
  }
  try {
    return intent.type === 'tool_call_intent'
      ? await answerToolCall(intent, scope, parts)
      : await answerApiCall(intent, scope, parts);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CANCELLED') throw error;
    return refusal(intent, error);
  }
}

function refusal(intent: Intent, { code, message }: AppError): IntentReply {
  const error = { code, message };
  return intent.type === 'tool_call_intent'
    ? { type: 'tool_call_result', ok: false, error }
    : { type: 'api_call_decision', approved: false, note: message, error };
}

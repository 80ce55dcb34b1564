import * as z from 'zod';
import type { Broker } from '../broker/answer.ts';
import type { AttemptScope } from '../broker/intent/scope.ts';
import type { ModelHint } from '../contract/chat.ts';
import { AppError } from '../contract/errors.ts';
import type { ApiCallDecision } from '../contract/protocol.ts';

/** A model call of the coordinator itself: a document in, a document out. */
export interface OwnCall<Answer extends z.ZodType> {
  /** The document to answer with: `plan`, `answer`, `judge`, `profile`. */
  readonly name: string;
  readonly instructions: string;
  readonly document: unknown;
  readonly answer: Answer;
  readonly hint: ModelHint;
}

/**
 * Makes a model call of the coordinator through the broker, as its pseudo-capsule `coordinator`.
 *
 * @throws AppError `INTENT_DENIED`, `PROVIDER_FAILED`, `MODEL_NEEDED`; `MODEL_ANSWER_INVALID` if the answer is not the document.
 */
export async function ownCall<Answer extends z.ZodType>(
  broker: Broker,
  scope: AttemptScope,
  call: OwnCall<Answer>,
): Promise<z.output<Answer>> {
  const reply = (await broker.answer(
    {
      type: 'api_call_intent',
      provider: '',
      endpoint: '',
      reason: call.name,
      request: {
        kind: 'chat',
        hint: call.hint,
        messages: [
          { role: 'system', content: call.instructions },
          { role: 'user', content: JSON.stringify(call.document) },
        ],
        response: { name: call.name, schema: z.toJSONSchema(call.answer, { io: 'input' }) },
      },
    },
    scope,
  )) as ApiCallDecision;
  const text = (reply.response as { text?: string } | undefined)?.text;
  if (reply.error || text === undefined) throw failureOf(reply);
  const parsed = call.answer.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const problem = z.prettifyError(parsed.error);
  throw new AppError('MODEL_ANSWER_INVALID', { document: call.name, problem });
}

function failureOf({ approved, error, note }: ApiCallDecision): AppError {
  if (!approved) {
    const reason = error?.code ?? 'denied';
    return new AppError('INTENT_DENIED', { what: 'The model call', reason, sentence: note });
  }
  if (error?.code === 'MODEL_NEEDED') {
    return new AppError('MODEL_NEEDED', { step: 'The task', problem: error.message });
  }
  const problem = error?.message ?? 'The model answered without a text.';
  return new AppError('PROVIDER_FAILED', { problem });
}

/** Models often wrap JSON in a code fence or a sentence: takes the text between the outermost braces. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const inner = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
    try {
      return JSON.parse(inner);
    } catch {
      return undefined;
    }
  }
}

import * as z from 'zod';
import type { Broker } from '../broker/answer.ts';
import type { AttemptScope } from '../broker/intent/scope.ts';
import { AppError } from '../contract/errors.ts';
import { issueLine } from '../contract/text/issue-line.ts';
import type { ChatMessage, ChatRequest, ChatResponse, ModelHint } from '../contract/wire/chat.ts';
import type { ApiCallDecision } from '../contract/wire/coordinator-messages.ts';
import { documentIn } from '../llm/answer/structured.ts';
import { parseJson } from '../platform/text/parse-json.ts';

/** A model call of the coordinator itself: a document in, a document out. */
export interface OwnCall<Answer extends z.ZodType> {
  /** The name of the expected document: `plan`, `answer`, `judge`, `profile`. */
  readonly name: string;
  readonly instructions: string;
  readonly document: unknown;
  readonly answer: Answer;
  readonly hint: ModelHint;
  /** The problem of a well-formed answer, as a sentence for the model; undefined if there is none. Default: none. */
  readonly check?: (answer: z.output<Answer>) => string | undefined;
  readonly onRefused?: (problem: string) => void;
}

const MAX_TRIES = 2;

/** A rejected answer is sent back up to this length, in characters. */
const MAX_REFUSED = 20_000;

/** The reason of a rejection is sent back up to this length, in characters. */
const MAX_PROBLEM = 2_000;

/**
 * Makes a model call of the coordinator through the broker, as its pseudo-capsule `coordinator`. An invalid answer
 * is sent back once, with the reason, as further messages of the same conversation.
 *
 * @throws AppError `INTENT_DENIED`, `PROVIDER_FAILED`, `MODEL_NEEDED`; `MODEL_ANSWER_INVALID` if both answers are rejected.
 */
export async function ownCall<Answer extends z.ZodType>(
  broker: Broker,
  scope: AttemptScope,
  call: OwnCall<Answer>,
): Promise<z.output<Answer>> {
  const messages: ChatMessage[] = [
    { role: 'system', content: call.instructions },
    { role: 'user', content: JSON.stringify(call.document) },
  ];
  for (let tries = 1; ; tries += 1) {
    const response = await chat(broker, scope, call, messages);
    const read = readAnswer(response, call);
    if ('answer' in read) return read.answer as z.output<Answer>;
    const { problem } = read;
    if (tries >= MAX_TRIES)
      throw new AppError('MODEL_ANSWER_INVALID', { document: call.name, problem });
    call.onRefused?.(problem);
    messages.push(
      { role: 'assistant', content: refusedText(response) },
      { role: 'user', content: JSON.stringify({ problem, next: ANSWER_AGAIN }) },
    );
  }
}

const ANSWER_AGAIN =
  'Your last answer was rejected for this problem. Answer with the whole corrected JSON document and nothing else.';

async function chat(
  broker: Broker,
  scope: AttemptScope,
  call: OwnCall<z.ZodType>,
  messages: readonly ChatMessage[],
): Promise<ChatResponse> {
  const reply = await askModel(broker, scope, call.name, {
    hint: call.hint,
    messages: [...messages],
    response: { name: call.name, schema: z.toJSONSchema(call.answer, { io: 'input' }) },
  });
  const response = reply.response as ChatResponse | undefined;
  if (reply.error || typeof response?.text !== 'string') throw failureOf(reply);
  return response;
}

/** One model call of the coordinator. @param reason What it is for, in the journal. */
export const askModel = (
  broker: Broker,
  scope: AttemptScope,
  reason: string,
  request: Omit<ChatRequest, 'kind'>,
): Promise<ApiCallDecision> => {
  const chat = { kind: 'chat', ...request } as const;
  const intent = { type: 'api_call_intent', provider: '', endpoint: '', reason } as const;
  return broker.answer({ ...intent, request: chat }, scope) as Promise<ApiCallDecision>;
};

function failureOf({ approved, error, note }: ApiCallDecision): AppError {
  if (!approved) {
    const reason = error?.code ?? 'denied';
    return new AppError('INTENT_DENIED', { what: 'The model call', reason, sentence: note });
  }
  if (error?.code === 'MODEL_NEEDED') {
    return new AppError('MODEL_NEEDED', { problem: error.message });
  }
  const problem = error?.message ?? 'The model answered without text.';
  return new AppError('PROVIDER_FAILED', { problem });
}

type ReadAnswer = { readonly answer: unknown } | { readonly problem: string };

function readAnswer(
  { text, tool_calls, finish }: ChatResponse,
  { name, answer, check }: OwnCall<z.ZodType>,
): ReadAnswer {
  const document = parseJson(documentIn(text) ?? '');
  if (document === undefined) {
    const [made] = tool_calls ?? [];
    if (finish === 'length')
      return { problem: 'the answer exceeded the length limit and was truncated; make it shorter' };
    return made
      ? { problem: `the answer calls the tool "${made.name}", and there are no tools here` }
      : { problem: `the answer contains no JSON document "${name}"` };
  }
  const exact = answer.safeParse(document);
  const parsed = exact.success ? exact : answer.safeParse(withoutNulls(document));
  const problem = parsed.success ? check?.(parsed.data) : issueLine(parsed.error);
  if (problem !== undefined) return { problem: problem.slice(0, MAX_PROBLEM) };
  return { answer: parsed.data };
}

/** Models often write null for an optional field. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(given.map(([name, field]) => [name, withoutNulls(field)]));
}

/** Vendors reject an empty message of the assistant. */
function refusedText({ text, tool_calls = [] }: ChatResponse): string {
  const calls = tool_calls.map(({ name, args }) => JSON.stringify({ name, arguments: args }));
  const said = [text.trim(), ...calls].filter((part) => part !== '').join('\n');
  return said === '' ? '(an empty answer)' : said.slice(0, MAX_REFUSED).toWellFormed();
}

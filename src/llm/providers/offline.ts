import { setFlagsFromString } from 'node:v8';
import type * as z from 'zod';
import { issueLine } from '../../contract/text/issue-line.ts';
import { parseJson } from '../../platform/text/parse-json.ts';
import { AnswerDocument, PlanDocument } from '../offline/documents.ts';
import { makePlan } from '../offline/make-plan.ts';
import { needsModel } from '../offline/needs-model.ts';
import { writeAnswer } from '../offline/write-answer.ts';
import { type ChatResult, type ModelRequest, type Provider, ProviderError } from '../provider.ts';

const documents = new Map<string, (input: unknown) => unknown>([
  ['plan', (input) => makePlan(read(PlanDocument, input))],
  ['answer', (input) => ({ answer: writeAnswer(read(AnswerDocument, input)) })],
]);

/**
 * The provider without a model: plans explicit tasks and joins results by deterministic rules.
 * Other requests fail with `needs_model`.
 */
export function createOfflineProvider(): Provider {
  return {
    name: 'offline',
    origin: undefined,
    isModel: false,
    modelFor: () => 'offline',
    contextTokens: async () => undefined,
    listModels: async () => [],
    chat: async (request, signal) => {
      signal.throwIfAborted();
      return answerOf(request);
    },
    close: () => undefined,
  };
}

function answerOf({ messages, response }: ModelRequest): ChatResult {
  const name = response?.name ?? '';
  const write = documents.get(name);
  if (write === undefined) {
    throw needsModel(
      name === '' ? 'This is a chat request.' : `This request asks for the document "${name}".`,
    );
  }
  const text = JSON.stringify(withQuickExpressions(() => write(documentOf(messages))));
  return {
    response: { text, tool_calls: [], finish: 'stop', model: 'offline' },
    usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 },
  };
}

/** Regular expressions are compiled without optimization: a plan reads one short text by hundreds of them. */
function withQuickExpressions<T>(read: () => T): T {
  setFlagsFromString('--no-regexp-optimization');
  try {
    return read();
  } finally {
    setFlagsFromString('--regexp-optimization');
  }
}

/** The document of the request, with the reason if the last answer was rejected. */
function documentOf(messages: ModelRequest['messages']): unknown {
  const said = messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => parseJson(content));
  return Object.assign({}, ...said);
}

function read<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new ProviderError('offline', `The document is malformed: ${issueLine(parsed.error)}`, {
    problem: 'bad_request',
    retryable: false,
  });
}

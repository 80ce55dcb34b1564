import { randomUUID } from 'node:crypto';
import type { ChatMessage, ToolCallRequest } from '../../contract/chat.ts';
import { wellFormed } from '../../platform/well-formed.ts';
import { malformed } from '../failure/failure.ts';
import type { ChatResult, CountedUsage, ModelRequest } from '../provider.ts';
import { documentIn } from './structured.ts';

/** Limits of one answer. */
const limits = { toolCalls: 128, textBytes: 4 * 1024 * 1024, idLength: 256, nameLength: 128 };

/** Longest stored text of arguments that are not a JSON object. */
const MAX_INVALID = 4_000;

/** A tool call in the vendor's answer. */
export interface GivenCall {
  readonly id?: string | null | undefined;
  readonly name: string;
  /** JSON text, or its parsed value. */
  readonly args?: unknown;
}

/** The content of a vendor's answer, before it is checked. */
export interface GivenAnswer {
  readonly provider: string;
  readonly model: string;
  readonly text: string;
  readonly calls: readonly GivenCall[];
  readonly finish: 'stop' | 'length' | 'refusal';
  readonly usage: CountedUsage;
  readonly isEstimated: boolean;
}

/**
 * Converts a vendor's answer to a `ChatResult`: parses arguments, makes ids present and unique, finds the requested document, replaces lone
 * surrogates.
 *
 * @throws ProviderError `malformed`, with the billed usage.
 */
export function finishAnswer(given: GivenAnswer, request: ModelRequest): ChatResult {
  const fail = (what: string) => malformed(given.provider, what, given.usage);
  if (Buffer.byteLength(given.text) > limits.textBytes) throw fail('its text is too long');
  if (given.calls.length > limits.toolCalls)
    throw fail(`it contains ${given.calls.length} tool calls`);
  const { finish, usage, isEstimated } = given;
  const calls = finish === 'refusal' ? [] : readCalls(given, request, fail);
  const wantsDocument = request.response !== undefined && finish === 'stop' && calls.length === 0;
  const text = (wantsDocument ? documentIn(given.text) : undefined) ?? given.text;
  return {
    response: wellFormed({
      text: finish === 'refusal' && text === '' ? 'The model refused without a reason.' : text,
      tool_calls: calls,
      finish: finish === 'stop' && calls.length > 0 ? 'tool_calls' : finish,
      model: given.model.slice(0, 200),
    }),
    usage,
    ...(isEstimated && { isEstimated }),
  };
}

function readCalls(
  given: GivenAnswer,
  { messages }: ModelRequest,
  fail: (what: string) => Error,
): ToolCallRequest[] {
  const seen = new Set(messages.flatMap(callIdsOf));
  const calls: ToolCallRequest[] = [];
  for (const call of given.calls) {
    const args = parseArgs(call.args);
    if (args === undefined && given.finish === 'length') break;
    if (call.name === '' || call.name.length > limits.nameLength) throw fail('a tool has no name');
    const id = callId(call.id, seen);
    seen.add(id);
    calls.push({ id, name: call.name, ...(args ? { args } : invalidArgs(call.args)) });
  }
  return calls;
}

/** Some servers restart the ids with each answer, so ids are made unique within a conversation. */
const callIdsOf = (message: ChatMessage): string[] =>
  message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [];

function callId(id: string | null | undefined, seen: ReadonlySet<string>): string {
  if (id && id.length <= limits.idLength && !seen.has(id)) return id;
  return `call_${randomUUID()}`;
}

/** Returned unchanged, so that the caller can tell the model what was expected. */
const invalidArgs = (args: unknown) => ({
  args: {},
  invalid_args: (typeof args === 'string' ? args : JSON.stringify(args)).slice(0, MAX_INVALID),
});

function parseArgs(args: unknown): Record<string, unknown> | undefined {
  if (args === undefined || args === null || args === '') return {};
  const value = typeof args === 'string' ? parseJson(args) : args;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { randomUUID } from 'node:crypto';
import type { ToolCallRequest } from '../../contract/wire/chat.ts';
import { parseJson } from '../../platform/text/parse-json.ts';
import { wellFormed } from '../../platform/text/well-formed.ts';
import { malformed } from '../failure/failure.ts';
import type { ChatResult, ModelRequest } from '../provider.ts';
import { callsOf } from './messages.ts';
import { documentIn } from './structured.ts';
import { type Reported, settleUsage } from './usage.ts';

const limits = { toolCalls: 128, textBytes: 4 * 1024 * 1024, idLength: 256, nameLength: 128 };

/** Longest stored text of arguments that are not a JSON object. */
const MAX_INVALID = 4_000;

/** A tool call in the vendor's answer. */
export interface GivenCall<Extra> {
  readonly id?: string | null | undefined;
  readonly name: string;
  /** JSON text, or its parsed value. */
  readonly args?: unknown;
  /** The value that the vendor needs back with it. */
  readonly extra?: Extra | undefined;
}

/** The content of a vendor's answer, before it is checked. */
export interface GivenAnswer<Extra> {
  readonly model?: string | null | undefined;
  readonly text: string;
  readonly calls: readonly GivenCall<Extra>[];
  readonly finish: 'stop' | 'length' | 'refusal';
  readonly usage: Reported;
  /** The whole output, to estimate its tokens if the vendor did not report them. */
  readonly output: string;
  /** Why the answer is unusable, although it is billed. */
  readonly problem?: string | undefined;
}

/**
 * Converts a vendor's answer to a `ChatResult`: parses arguments, makes ids present and unique, finds the requested document, replaces lone
 * surrogates.
 *
 * @throws ProviderError `malformed`, with the billed usage.
 */
export function finishAnswer<Extra>(
  given: GivenAnswer<Extra>,
  request: ModelRequest,
  { provider, model }: { readonly provider: string; readonly model: string },
): ChatResult {
  const { finish } = given;
  const { usage, ...report } = settleUsage(given.usage, request, given.output);
  const fail = (what: string) => malformed(provider, what, usage);
  const problem = given.problem ?? excessIn(given);
  if (problem !== undefined) throw fail(problem);
  const calls = finish === 'refusal' ? [] : readCalls(given, request, fail);
  const wantsDocument = request.response !== undefined && finish === 'stop' && calls.length === 0;
  const text = (wantsDocument ? documentIn(given.text) : undefined) ?? given.text;
  return {
    response: wellFormed({
      text: finish === 'refusal' && text === '' ? 'The model refused without a reason.' : text,
      tool_calls: calls,
      finish: finish === 'stop' && calls.length > 0 ? 'tool_calls' : finish,
      model: (given.model || model).slice(0, 200),
    }),
    usage,
    ...report,
    ...carriedBy(calls, given),
  };
}

function excessIn({ text, calls }: GivenAnswer<unknown>): string | undefined {
  if (Buffer.byteLength(text) > limits.textBytes) return 'its text is too long';
  return calls.length > limits.toolCalls ? `it contains ${calls.length} tool calls` : undefined;
}

/** The extra values by the final ids of the calls. */
function carriedBy(calls: readonly ToolCallRequest[], given: GivenAnswer<unknown>) {
  const extras = calls
    .map(({ id }, index) => [id, given.calls[index]?.extra] as const)
    .filter(([, extra]) => extra !== undefined);
  return extras.length > 0 && { carried: Object.fromEntries(extras) };
}

function readCalls(
  given: GivenAnswer<unknown>,
  { messages }: ModelRequest,
  fail: (what: string) => Error,
): ToolCallRequest[] {
  // Some servers restart the ids with each answer, so ids are made unique within a conversation.
  const seen = new Set(messages.flatMap(callsOf).map(({ id }) => id));
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

function callId(id: string | null | undefined, seen: ReadonlySet<string>): string {
  if (id && id.length <= limits.idLength && !seen.has(id)) return id;
  return `call_${randomUUID()}`;
}

/** Returned unchanged, so that the caller can tell the model the expected form. */
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

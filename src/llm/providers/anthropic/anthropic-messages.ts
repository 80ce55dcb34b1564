import type { ChatMessage, ToolCallRequest } from '../../../contract/chat.ts';
import type { Carried } from '../../answer/carried.ts';
import { type Reasoning, thinkingTokens } from '../../answer/reasoning.ts';
import { documentInstruction, titledSchema } from '../../answer/structured.ts';
import { defaultMaxOutputTokens } from '../../answer/usage.ts';
import type { ModelRequest } from '../../provider.ts';

/** A content block of Anthropic's API. */
export type Block = Readonly<Record<string, unknown>>;

/** How a document is requested: with a tool that must be called, or one that may be (reasoning models reject the first). */
export type DocumentForm = 'forced' | 'offered';

/** The tool whose arguments are the document. */
export const documentTool = (name: string): string => `answer_${name}`.slice(0, 64);

/** Longer outputs are streamed, because the API rejects them without streaming. */
const streamAboveTokens = 16_384;

/** Options outside the request itself. */
export interface MessagesOptions {
  readonly model: string;
  readonly form: DocumentForm;
  readonly carried: Carried<readonly Block[]>;
  /** The reasoning effort. Default: the model's. */
  readonly thinking: Reasoning | undefined;
  /**
   * Whether a conversation with tools is cached. The marker is outside the messages: Anthropic moves it to
   * the last block, so that the bytes of a message never change.
   */
  readonly isCached: boolean;
  /** Whether the answer must be streamed. */
  readonly wantsStream: boolean;
}

/** One `POST /v1/messages`. Source: docs.anthropic.com/en/api/messages */
export function messagesBody(
  request: ModelRequest,
  { model, form, carried, thinking, isCached, wantsStream }: MessagesOptions,
): Record<string, unknown> {
  const maxTokens = request.max_output_tokens ?? defaultMaxOutputTokens;
  const system = systemText(request, form);
  return {
    model,
    max_tokens: maxTokens,
    ...(isCached && request.tools?.length ? { cache_control: { type: 'ephemeral' } } : {}),
    ...(thinking ? thinkingBody(model, thinking, maxTokens) : {}),
    ...(system === '' ? {} : { system }),
    messages: conversation(request.messages, carried),
    ...toolsBody(request, form),
    ...(wantsStream || maxTokens > streamAboveTokens ? { stream: true } : {}),
  };
}

/** Current models take an effort; older ones, from 3.7 on, a token budget. */
function thinkingBody(model: string, level: Reasoning, maxTokens: number) {
  if (level === 'none') return { thinking: { type: 'disabled' } };
  if (!thinksByTokens.test(model)) {
    return { thinking: { type: 'adaptive' }, output_config: { effort: level } };
  }
  const budget = thinkingTokens(level, maxTokens);
  if (budget < MIN_THINKING_TOKENS) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

const thinksByTokens = /claude-(3-7|(sonnet|opus|haiku)-4(-[0-5])?(-\d{8})?$)/;

/** The minimum of the API. */
const MIN_THINKING_TOKENS = 1_024;

function systemText(request: ModelRequest, form: DocumentForm): string {
  const { response } = request;
  const texts = request.messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content);
  if (response !== undefined && form === 'offered') {
    texts.push(
      `Give your final answer by calling the tool ${documentTool(response.name)}. If you can't: ${documentInstruction(response)}`,
    );
  }
  return texts.join('\n\n');
}

function toolsBody(request: ModelRequest, form: DocumentForm): Record<string, unknown> {
  const { response } = request;
  const own = (request.tools ?? []).map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: { type: 'object', ...parameters },
  }));
  if (response === undefined) return own.length > 0 ? { tools: own } : toolsOfHistory(request);
  const tool = {
    name: documentTool(response.name),
    description: 'Takes your final answer. Call it once.',
    input_schema: { type: 'object', ...titledSchema(response) },
  };
  const forced = own.length > 0 ? { type: 'any' } : { type: 'tool', name: tool.name };
  return { tools: [...own, tool], tool_choice: form === 'forced' ? forced : { type: 'auto' } };
}

/** A conversation with tool calls needs the tools, even if no further call is wanted. */
function toolsOfHistory(request: ModelRequest): Record<string, unknown> {
  const names = new Set(
    request.messages.flatMap((message) =>
      message.role === 'assistant' ? (message.tool_calls ?? []).map(({ name }) => name) : [],
    ),
  );
  if (names.size === 0) return {};
  const tools = [...names].map((name) => ({ name, input_schema: { type: 'object' } }));
  return { tools, tool_choice: { type: 'none' } };
}

/** Turns alternate, start with the user, and have no empty text. */
function conversation(messages: readonly ChatMessage[], carried: Carried<readonly Block[]>) {
  const turns: { role: 'user' | 'assistant'; content: Block[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocksOf(message, carried));
    else turns.push({ role, content: blocksOf(message, carried) });
  }
  const filled = turns.filter(({ content }) => content.length > 0);
  if (filled[0]?.role !== 'user') {
    filled.unshift({ role: 'user', content: [{ type: 'text', text: 'Go on.' }] });
  }
  return filled;
}

function blocksOf(message: ChatMessage, carried: Carried<readonly Block[]>): Block[] {
  if (message.role === 'tool') {
    return [
      {
        type: 'tool_result',
        tool_use_id: message.tool_call_id,
        ...(message.content === '' ? {} : { content: message.content }),
      },
    ];
  }
  const content = message.role === 'assistant' ? message.content.trimEnd() : message.content;
  const text = content.trim() === '' ? [] : [{ type: 'text', text: content }];
  if (message.role !== 'assistant') return text;
  const calls = message.tool_calls ?? [];
  const given = carried.find(calls[0]?.id ?? '') ?? [];
  if (isSameAnswer(given, content, calls)) return [...given];
  return [
    ...given.filter(isThought),
    ...text,
    ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
  ];
}

/** Whether a block contains reasoning. */
export const isThought = ({ type }: Block): boolean => /^(redacted_)?thinking$/.test(String(type));

/** Whether the stored blocks have the same content as the message. */
function isSameAnswer(
  given: readonly Block[],
  content: string,
  calls: readonly ToolCallRequest[],
): boolean {
  const texts = given.map(({ type, text }) => (type === 'text' ? String(text) : ''));
  const ids = given.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
  return texts.join('').trimEnd() === content && ids.join() === calls.map(({ id }) => id).join();
}

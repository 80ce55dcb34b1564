import type { ChatMessage, ToolCallRequest } from '../../../contract/wire/chat.ts';
import { callsOf, systemTexts, toolNames, turnsOf } from '../../answer/messages.ts';
import { type Reasoning, thinkingTokens } from '../../answer/reasoning.ts';
import { documentInstruction, titledSchema } from '../../answer/structured.ts';
import type { ModelRequest } from '../../provider.ts';
import type { Call } from '../../vendor.ts';

/** A content block of Anthropic's API. */
export type Block = Readonly<Record<string, unknown>>;

/** The features that a model accepts. */
export interface Form {
  /** That a document's tool must be called. Reasoning models reject it, and are offered the tool. */
  readonly mayForce: boolean;
  readonly mayThink: boolean;
  /**
   * That a conversation with tools is cached. The marker is outside the messages: Anthropic moves it to the last block, so
   * that the bytes of a message never change.
   */
  readonly mayCache: boolean;
}

/** The tool whose arguments are the document. */
export const documentTool = (name: string): string => `answer_${name}`.slice(0, 64);

/** Whether the request forces the call of a document's tool. */
export const isForced = (
  { response }: ModelRequest,
  { form, reasoning = 'none' }: Pick<Call<Form, unknown>, 'form' | 'reasoning'>,
): boolean => response !== undefined && form.mayForce && (!form.mayThink || reasoning === 'none');

/** One `POST /v1/messages`. Source: docs.anthropic.com/en/api/messages */
export function messagesBody(
  request: ModelRequest,
  call: Call<Form, readonly Block[]>,
): Record<string, unknown> {
  const { model, form, reasoning, maxTokens } = call;
  const isToolForced = isForced(request, call);
  const system = systemText(request, isToolForced);
  return {
    model,
    max_tokens: maxTokens,
    ...(form.mayCache && request.tools?.length ? { cache_control: { type: 'ephemeral' } } : {}),
    ...(form.mayThink && reasoning ? thinkingBody(model, reasoning, maxTokens) : {}),
    ...(system === '' ? {} : { system }),
    messages: conversation(request.messages, call),
    ...toolsBody(request, isToolForced),
    ...(call.wantsStream ? { stream: true } : {}),
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

function systemText({ messages, response }: ModelRequest, isToolForced: boolean): string {
  const texts = systemTexts(messages);
  if (response !== undefined && !isToolForced) {
    texts.push(
      `Give your final answer by calling the tool ${documentTool(response.name)}. If you can't: ${documentInstruction(response)}`,
    );
  }
  return texts.join('\n\n');
}

function toolsBody(request: ModelRequest, isToolForced: boolean): Record<string, unknown> {
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
  return { tools: [...own, tool], tool_choice: isToolForced ? forced : { type: 'auto' } };
}

/** A conversation with tool calls needs the tools, even if no further call is wanted. */
function toolsOfHistory({ messages }: ModelRequest): Record<string, unknown> {
  const names = new Set(toolNames(messages).values());
  if (names.size === 0) return {};
  const tools = [...names].map((name) => ({ name, input_schema: { type: 'object' } }));
  return { tools, tool_choice: { type: 'none' } };
}

type ExtraOf = Pick<Call<Form, readonly Block[]>, 'extraOf'>;

/** The conversation starts with the user, and has no empty text. */
function conversation(messages: readonly ChatMessage[], call: ExtraOf) {
  const turns = turnsOf(messages, (message) => blocksOf(message, call)).map(
    ({ isModel, parts }) => ({ role: isModel ? 'assistant' : 'user', content: parts }),
  );
  const begin = { role: 'user', content: [{ type: 'text', text: 'Go on.' }] };
  return turns[0]?.role === 'user' ? turns : [begin, ...turns];
}

function blocksOf(message: ChatMessage, { extraOf }: ExtraOf): Block[] {
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
  const calls = callsOf(message);
  const given = extraOf(calls[0]?.id ?? '') ?? [];
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

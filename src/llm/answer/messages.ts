import type {
  ChatMessage,
  ChatRequest,
  ToolCallRequest,
  ToolDescription,
} from '../../contract/wire/chat.ts';
import { documentInstruction } from './structured.ts';

export const callsOf = (message: ChatMessage): readonly ToolCallRequest[] =>
  message.role === 'assistant' ? (message.tool_calls ?? []) : [];

/** The names of the called tools, by id of the call. */
export const toolNames = (messages: readonly ChatMessage[]): ReadonlyMap<string, string> =>
  new Map(messages.flatMap(callsOf).map(({ id, name }) => [id, name]));

/** The texts of the system messages. */
export const systemTexts = (messages: readonly ChatMessage[]): string[] =>
  messages.filter(({ role }) => role === 'system').map(({ content }) => content);

/** Tools in the form of OpenAI. */
export const functionTools = (tools: readonly ToolDescription[] | undefined) =>
  tools?.length ? { tools: tools.map((tool) => ({ type: 'function', function: tool })) } : {};

/** The messages without those of the system, as turns that alternate: parts of neighbouring messages of one side are joined. */
export function turnsOf<Part>(
  messages: readonly ChatMessage[],
  partsOf: (message: ChatMessage) => readonly Part[],
): { readonly isModel: boolean; readonly parts: Part[] }[] {
  const turns: { isModel: boolean; parts: Part[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const isModel = message.role === 'assistant';
    const parts = partsOf(message);
    if (parts.length === 0) continue;
    const last = turns.at(-1);
    if (last?.isModel === isModel) last.parts.push(...parts);
    else turns.push({ isModel, parts: [...parts] });
  }
  return turns;
}

/** Messages, with the request for a document before them if the vendor has no better way. */
export const withInstruction = <Message extends object>(
  messages: readonly Message[],
  wanted: ChatRequest['response'] | false,
) => (wanted ? [{ role: 'system', content: documentInstruction(wanted) }, ...messages] : messages);

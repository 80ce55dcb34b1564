import type { ChatResponse } from '../../../contract/wire/chat.ts';
import type { AgentResponse } from '../../../contract/wire/protocol.ts';
import { failed, succeeded } from '../response.ts';
import { isFirst, type Loop } from './loop.ts';
import { isAnnouncement, isRefusal } from './plain-text.ts';

const SHOWN_CHARS = 1_000;

/**
 * Handles an answer without a tool call. The first of an attempt is sent back; the second is the result of a step that changes
 * nothing, unless it only announces work, and otherwise a failure.
 */
export function takeText(loop: Loop, answer: ChatResponse): AgentResponse | undefined {
  const { messages, metrics, tools } = loop;
  const text = answer.text.trim();
  if (isFirst(loop, 'text')) {
    messages.push({ role: 'assistant', content: text || '(no text)' });
    messages.push({ role: 'user', content: sendBack(tools.map(({ name }) => name)) });
    return undefined;
  }
  if (answer.finish === 'refusal' || isRefusal(text)) {
    return failed('MODEL_REFUSED', text || 'The model declined without a reason.', { metrics });
  }
  if (text === '') {
    return failed('ANSWER_EMPTY', 'The model returned no text and no tool call.', { metrics });
  }
  const isResult = !mustChange(loop) && !isAnnouncement(text);
  if (isResult) return succeeded(answer.text, { metrics });
  const shown = text.slice(0, SHOWN_CHARS);
  const problem = `The model answered twice without calling a tool or "final", the second time: ${shown}`;
  return failed('FINAL_MISSING', problem, { metrics });
}

const sendBack = (tools: readonly string[]): string =>
  `Your answer contains no tool call, so nothing was done and no result was returned. Call a tool, or call "final" with the complete result. If the task can't be done, call "final" with status "error" and say why. Your tools: ${tools.join(', ')}.`;

const CHANGES: readonly string[] = ['write', 'delete', 'execute', 'database_write'];

const mustChange = ({ request: { context } }: Loop): boolean =>
  (context.writes ?? []).length > 0 || (context.needs ?? []).some((need) => CHANGES.includes(need));

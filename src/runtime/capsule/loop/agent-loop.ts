import type { ChatResponse, ToolCallRequest } from '../../../contract/wire/chat.ts';
import type { AgentResponse, CoordinatorRequest } from '../../../contract/wire/protocol.ts';
import { askChat } from '../ask.ts';
import type { Port } from '../port.ts';
import { failed } from '../response.ts';
import { findTextualCalls } from '../textual/textual-calls.ts';
import { addNotices } from './add-notices.ts';
import { charsOf, foldHistory } from './fold-history.ts';
import { isFirst, type Loop, openLoop, takeInbox } from './loop.ts';
import { takeCalls } from './take-calls.ts';
import { takeText } from './take-text.ts';

const CUT =
  'Your last answer was cut at its output limit and none of it was performed. Answer again in smaller pieces.';

/**
 * Alternates model and tool calls until the model calls `final` or `max_steps` model calls were made. The same code runs in
 * a capsule process and, for benchmarks, in memory. A failure is a response with status error; only ModelError is thrown.
 */
export async function runAgentLoop(
  request: CoordinatorRequest,
  port: Port,
): Promise<AgentResponse> {
  const loop = openLoop(request, port);
  const { metrics } = loop;
  while (metrics.steps < request.config.max_steps) {
    const answer = await nextAnswer(loop);
    const response = await takeAnswer(loop, answer);
    if (response !== undefined) return response;
    takeInbox(loop);
  }
  const problem = `The work was not finished after ${request.config.max_steps} steps (max_steps of the task kind).`;
  return failed('MAX_STEPS', problem, { metrics });
}

/** One model call with the whole conversation. */
async function nextAnswer(loop: Loop): Promise<ChatResponse> {
  const { request, port, messages, tools, metrics } = loop;
  addNotices(loop);
  foldHistory(loop);
  metrics.steps += 1;
  const chars = charsOf(loop);
  const { hint = 'balanced' } = request.config;
  const { response, usage } = await askChat(
    port,
    { messages: [...messages], tools: [...tools], hint },
    `step ${metrics.steps} of: ${request.task}`,
  );
  if (usage !== undefined) loop.tokensPerChar = usage.input_tokens / chars;
  return response;
}

async function takeAnswer(loop: Loop, answer: ChatResponse): Promise<AgentResponse | undefined> {
  const { messages, metrics, tools } = loop;
  const { text, finish } = answer;
  if (finish === 'length') {
    if (!isFirst(loop, 'cut')) {
      const problem = 'The model reached its output limit for the second time.';
      return failed('ANSWER_CUT', problem, { metrics });
    }
    messages.push({ role: 'assistant', content: text || '(cut)' });
    messages.push({ role: 'user', content: CUT });
    return undefined;
  }
  if (answer.tool_calls.length > 0) return takeCalls(loop, { text, calls: answer.tool_calls });
  const textual = finish === 'refusal' ? undefined : findTextualCalls(text, tools, givenTo(loop));
  if (textual === undefined) return takeText(loop, answer);
  const calls = textual.calls.map(
    ({ name, args, invalid }, index): ToolCallRequest => ({
      id: textualId(metrics.steps, index),
      name,
      args,
      ...(invalid !== undefined && { invalid_args: invalid }),
    }),
  );
  return takeCalls(loop, { text: textual.prose.trim(), calls });
}

/** The contents of the messages that the model did not write. */
const givenTo = ({ messages }: Loop): string[] =>
  messages.flatMap(({ role, content }) => (role === 'assistant' ? [] : [content]));

/** Nine letters and digits, which every vendor accepts. */
const textualId = (step: number, index: number): string =>
  `text${String(step).padStart(3, '0')}${String(index).padStart(2, '0')}`;

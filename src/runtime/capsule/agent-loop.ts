import type {
  ChatMessage,
  ChatRequest,
  ChatResponse,
  ToolCallRequest,
} from '../../contract/chat.ts';
import type { AgentResponse, CoordinatorRequest } from '../../contract/protocol.ts';
import { askModel, askTool, showProgress } from './ask.ts';
import { finalTool, readFinal } from './final-tool.ts';
import type { Port } from './port.ts';
import { READ_SKILL, readSkill, skillTools } from './read-skill.ts';
import { failed, succeeded } from './response.ts';
import { asData, taskMessage } from './task-message.ts';

/** Tool calls of one answer that are asked at the same time. */
const TOGETHER = 16;
/** From here on the oldest tool results are left out of what the model is sent, in characters. */
const HISTORY_CHARS = 600_000;

const LEFT_OUT = '[left out to save room; call the tool again if you need it]';
const LAST_STEP = 'This is your last step: call "final" now, and say honestly what is not done.';
const CUT =
  'Your last answer was cut at its output limit and nothing of it was carried out. Answer again in smaller pieces.';

interface Work {
  readonly request: CoordinatorRequest;
  readonly port: Port;
  readonly messages: ChatMessage[];
  readonly metrics: { steps: number; tool_calls: number };
}

/**
 * Model and tools in turn, until the model says it is done or `max_steps` model calls are used up. The same code runs in
 * a capsule process and, for benches, in memory. A failure is an answer with status error; it throws ModelError alone.
 */
export async function runAgentLoop(
  request: CoordinatorRequest,
  port: Port,
): Promise<AgentResponse> {
  const metrics = { steps: 0, tool_calls: 0 };
  const work: Work = { request, port, messages: firstMessages(request), metrics };
  let wasCut = false;

  while (metrics.steps < request.config.max_steps) {
    metrics.steps += 1;
    const answer = await askModel(
      port,
      chatRequest(work),
      `step ${metrics.steps} of: ${request.task}`,
    );
    const isCut = answer.finish === 'length';
    if (isCut && wasCut) {
      return failed('ANSWER_CUT', 'The model was cut at its output limit twice in a row.', {
        metrics,
      });
    }
    wasCut = isCut;
    const final = isCut ? askAgain(work, answer) : await takeAnswer(work, answer);
    if (final !== undefined) return final;
  }
  const problem = `The work was not done after ${request.config.max_steps} steps (max_steps of the task kind).`;
  return failed('MAX_STEPS', problem, { metrics });
}

/** One model call with the task and its data; the text is the result. */
export async function runPrompt(request: CoordinatorRequest, port: Port): Promise<AgentResponse> {
  const metrics = { steps: 1 };
  const { hint = 'balanced' } = request.config;
  const answer = await askModel(port, { messages: firstMessages(request), hint }, request.task);
  if (answer.finish === 'refusal') return refused(answer, metrics);
  if (answer.finish === 'length') {
    return failed('ANSWER_CUT', 'The model was cut at its output limit.', { metrics });
  }
  if (answer.text.trim() === '')
    return failed('ANSWER_EMPTY', 'The model said nothing.', { metrics });
  return succeeded(answer.text, { metrics });
}

/** The composed system prompt stands first in every call, word for word. */
function firstMessages(request: CoordinatorRequest): ChatMessage[] {
  const { system_prompt } = request.config;
  const task: ChatMessage = { role: 'user', content: taskMessage(request) };
  return system_prompt === '' ? [task] : [{ role: 'system', content: system_prompt }, task];
}

function chatRequest({ request, messages }: Work): Omit<ChatRequest, 'kind'> {
  const tools = request.config.tool_registry.filter(({ name }) => name !== finalTool.name);
  leaveOutOldest(messages);
  const { hint = 'balanced' } = request.config;
  return {
    messages: [...messages],
    tools: [...tools, ...skillTools(request.config), finalTool],
    hint,
  };
}

function askAgain({ messages }: Work, answer: ChatResponse): undefined {
  messages.push({ role: 'assistant', content: answer.text || '(cut)' });
  messages.push({ role: 'user', content: CUT });
}

async function takeAnswer(work: Work, answer: ChatResponse): Promise<AgentResponse | undefined> {
  const { messages, metrics } = work;
  if (answer.finish === 'refusal') return refused(answer, metrics);
  const calls = answer.tool_calls;
  if (calls.length === 0) {
    return answer.text.trim() === ''
      ? failed('ANSWER_EMPTY', 'The model said nothing and called no tool.', { metrics })
      : succeeded(answer.text, { metrics });
  }
  messages.push({ role: 'assistant', content: answer.text, tool_calls: calls });
  const [only] = calls;
  if (calls.length === 1 && only?.name === finalTool.name) {
    const final = readFinal(only.args);
    if (typeof final !== 'string') return finish(final, metrics);
    messages.push({ role: 'tool', tool_call_id: only.id, content: `Not accepted: ${final}` });
    return undefined;
  }
  for (let start = 0; start < calls.length; start += TOGETHER) {
    const some = calls.slice(start, start + TOGETHER);
    messages.push(...(await Promise.all(some.map((call) => perform(work, call, answer.text)))));
  }
  remindOfTheEnd(work);
  return undefined;
}

function finish(
  { status, result, remember, artifacts, needs }: Exclude<ReturnType<typeof readFinal>, string>,
  metrics: Work['metrics'],
): AgentResponse {
  const leavings = { remember, artifacts, metrics };
  return status === 'ok'
    ? succeeded(result, leavings)
    : failed('TASK_FAILED', result, { ...leavings, needs });
}

/** What comes back is for the model, whatever it is: an error is something it can work with. */
async function perform(
  { request, port, metrics }: Work,
  call: ToolCallRequest,
  why: string,
): Promise<ChatMessage> {
  const message = (content: string): ChatMessage => ({
    role: 'tool',
    tool_call_id: call.id,
    content,
  });
  if (call.name === finalTool.name) {
    return message('Not accepted: call "final" alone, after you have seen all results.');
  }
  if (call.name === READ_SKILL) return message(readSkill(request.config, call.args));
  metrics.tool_calls += 1;
  const reason = why.trim() || request.task;
  showProgress(port, `asks for ${call.name}`);
  const reply = await askTool(port, { tool: call.name, args: call.args, reason });
  const content = reply.ok ? reply.result : { error: reply.error };
  const from = reply.origin === undefined ? '' : `, from ${reply.origin}`;
  return message(asData(`${reply.ok ? 'result' : 'failure'} of tool ${call.name}${from}`, content));
}

function remindOfTheEnd({ request, messages, metrics }: Work): void {
  const last = messages.at(-1);
  if (metrics.steps !== request.config.max_steps - 1 || last?.role !== 'tool') return;
  last.content += `\n\n${LAST_STEP}`;
}

/** A refusal is no result: the subtask fails, and says so in the model's words. */
function refused({ text }: ChatResponse, metrics: Record<string, number>): AgentResponse {
  const message = text.trim() || 'The model declined without a word.';
  return failed('MODEL_REFUSED', message, { metrics });
}

function leaveOutOldest(messages: readonly ChatMessage[]): void {
  let chars = messages.reduce((sum, { content }) => sum + content.length, 0);
  for (const message of messages) {
    if (chars <= HISTORY_CHARS) return;
    if (message.role !== 'tool') continue;
    chars -= message.content.length - LEFT_OUT.length;
    message.content = LEFT_OUT;
  }
}

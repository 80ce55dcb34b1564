import type { ChatResponse, ToolCallRequest } from '../../../contract/wire/chat.ts';
import type { CoordinatorRequest } from '../../../contract/wire/coordinator-messages.ts';
import type { AgentResponse } from '../../../contract/wire/protocol.ts';
import { askChat } from '../ask.ts';
import type { Port } from '../port.ts';
import { failed, failedByCut, SHOWN_CHARS, succeeded } from '../response.ts';
import { findTextualCalls } from '../textual/textual-calls.ts';
import { charsOf, foldHistory } from './fold-history.ts';
import {
  isFirst,
  type Loop,
  mustChange,
  openLoop,
  requestsLeft,
  stepsLeft,
  takeInbox,
} from './loop.ts';
import { takeCalls } from './take-calls.ts';

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
  const problem = `The work was not finished after ${request.config.max_steps} steps (max_steps of the task kind). Its changes remain. Continue it, or give the task in smaller parts.`;
  return failed('MAX_STEPS', problem, { metrics });
}

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
    if (!isFirst(loop, 'cut')) return failedByCut(text, metrics);
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

/**
 * Handles an answer without a tool call. The first of an attempt is sent back; the second is the result of a step that changes
 * nothing, unless it only announces work, and otherwise a failure.
 */
function takeText(loop: Loop, answer: ChatResponse): AgentResponse | undefined {
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

/** Longer texts contain more than an announcement or a refusal. */
const MAX_CHARS = 600;

const FILLER =
  /^(?:(?:ok(?:ay)?|sure|certainly|of course|great|alright|all right|understood|got it|perfect|thanks?(?: you)?|yes|now|so|well|first|next|then|finally|to (?:start|begin)(?: with)?)\b[\s,.!:–—-]*){0,4}/i;

const INTENTION =
  /^(?:i['’]?ll|i will|i['’]?m (?:going|about) to|i am (?:going|about) to|i (?:need|have|want|plan|intend) to|i(?: would|['’]d)(?: like to)?|i should|i can (?:start|begin)|let me|let['’]?s|let us|we['’]?ll|we will|we (?:need|have) to|we should|my (?:plan|next step|first step)|the (?:plan|next step|first step)|here(?:['’]s| is) (?:my|the) plan|starting|(?:reading|looking|checking|computing|running|writing) (?:at |into |the |a )*)\b/i;

/** Whether a text only announces work: "I'll start by looking at the data." */
function isAnnouncement(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > MAX_CHARS) return false;
  if (/(?::|…|\.\.\.)$/.test(trimmed)) return true;
  return INTENTION.test(trimmed.replace(FILLER, ''));
}

const NEGATED =
  "(?:can(?:no|['’])?t|can ?not|could(?: not|n['’]t)|(?:am|['’]?m) (?:unable|not able) to|won['’]t|will not|(?:must|have to|need to) (?:decline|refuse)(?: to)?|(?:am|['’]?m) not (?:comfortable|allowed|permitted))";
const HELP =
  '(?:help|assist|comply|fulfil+|support|participate|engage|continue with|provide (?:that|this|assistance|help)|do (?:that|this|it)\\b|answer (?:that|this)|carry out (?:that|this)|complete (?:that|this|your) (?:request|task)|process (?:that|this|your) request)';

const REFUSAL = new RegExp(
  `\\bi ?${NEGATED}(?: \\w+){0,3} ${HELP}|\\bi(?: must| have to)? (?:decline|refuse)\\b|\\bi ?(?:am|['’]?m) (?:sorry|afraid)[ ,]+(?:but )?(?:i )?${NEGATED}|\\bagainst my (?:guidelines|policy|policies|programming)\\b`,
  'i',
);

/** Whether a short text declines the task: "I'm sorry, but I can't help with that." */
function isRefusal(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= MAX_CHARS && REFUSAL.test(trimmed.slice(0, 300));
}

/** By the number of steps that are left. */
const STEP_NOTICES: Readonly<Record<number, string>> = {
  1: 'This is your last step: call "final" now, and say what is not done.',
  2: 'Two steps are left, this one included: finish the work, then call "final".',
};

/** Numbers of remaining requests at which the model gets a notice. */
const FEW_REQUESTS = [8, 4];

function addNotices(loop: Loop): void {
  const last = loop.messages.at(-1);
  if (last === undefined || loop.metrics.steps === 0) return;
  for (const notice of [STEP_NOTICES[stepsLeft(loop)], requestNotice(loop)]) {
    if (notice !== undefined) last.content += `\n\n${notice}`;
  }
}

function requestNotice(loop: Loop): string | undefined {
  const left = requestsLeft(loop);
  const limit = left === undefined ? undefined : FEW_REQUESTS.findLast((few) => left <= few);
  if (limit === undefined || loop.noticed.has(limit)) return undefined;
  loop.noticed.add(limit);
  return `${left} requests are left in this attempt; each answer of yours and each tool call is one. Finish the work, then call "final".`;
}

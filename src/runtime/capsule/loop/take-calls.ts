import type { ChatMessage, ToolCallRequest } from '../../../contract/wire/chat.ts';
import type { AgentResponse } from '../../../contract/wire/protocol.ts';
import { failed } from '../response.ts';
import { finalTool } from './final-tool.ts';
import type { Loop } from './loop.ts';
import { type CallOutcome, performCall } from './perform-call.ts';
import { takeFinal } from './take-final.ts';

/** Maximum number of concurrent tool calls of one answer. */
const TOGETHER = 16;

/** After as many answers in a row with nothing but a `final` that is not accepted, the model does not find the right one. */
const MAX_REJECTED = 4;

/** The calls of one answer, and the text beside them. */
export interface CallingAnswer {
  readonly text: string;
  readonly calls: readonly ToolCallRequest[];
}

/** Performs the calls of one answer together. A `final` among them is judged after the others. */
export async function takeCalls(
  loop: Loop,
  { text, calls }: CallingAnswer,
): Promise<AgentResponse | undefined> {
  loop.messages.push({
    role: 'assistant',
    content: text,
    tool_calls: calls.map(({ id, name, args }) => ({ id, name, args })),
  });
  const outcomes = new Map<ToolCallRequest, CallOutcome>();
  const others = calls.filter(({ name }) => name !== finalTool.name);
  for (let start = 0; start < others.length; start += TOGETHER) {
    const some = others.slice(start, start + TOGETHER);
    const results = await Promise.all(some.map((call) => performCall(loop, call, text)));
    for (const [index, call] of some.entries()) outcomes.set(call, results[index] as CallOutcome);
  }
  let rejection: string | undefined;
  for (const call of calls) {
    if (call.name !== finalTool.name) continue;
    const failures = others
      .filter((one) => outcomes.get(one)?.ok === false)
      .map(({ name }) => name);
    const ended = await takeFinal(loop, call, failures);
    if (typeof ended !== 'string') return ended;
    rejection = ended;
    outcomes.set(call, { ok: false, content: `Not accepted: ${ended}` });
  }
  const isOnlyRejected = rejection !== undefined && others.length === 0 && loop.inbox.length === 0;
  loop.rejected = isOnlyRejected ? loop.rejected + 1 : 0;
  if (loop.rejected === MAX_REJECTED) {
    const problem = `The model called "final" ${MAX_REJECTED} times in a row, and none was accepted. The last time: ${rejection}`;
    return failed('FINAL_REJECTED', problem, { metrics: loop.metrics });
  }
  for (const call of calls) loop.messages.push(toolMessage(call, outcomes.get(call)));
  return undefined;
}

const toolMessage = ({ id }: ToolCallRequest, outcome: CallOutcome | undefined): ChatMessage => ({
  role: 'tool',
  tool_call_id: id,
  content: outcome?.content ?? '',
});

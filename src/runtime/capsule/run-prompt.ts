import type { AgentResponse, CoordinatorRequest } from '../../contract/protocol.ts';
import { askModel } from './ask.ts';
import { firstMessages } from './loop/loop.ts';
import type { Port } from './port.ts';
import { failed, succeeded } from './response.ts';

/** One model call with the task and its data; the text is the result. */
export async function runPrompt(request: CoordinatorRequest, port: Port): Promise<AgentResponse> {
  const metrics = { steps: 1 };
  const { hint = 'balanced' } = request.config;
  const answer = await askModel(port, { messages: firstMessages(request), hint }, request.task);
  const text = answer.text.trim();
  if (answer.finish === 'refusal') {
    return failed('MODEL_REFUSED', text || 'The model declined without a word.', { metrics });
  }
  if (answer.finish === 'length') {
    return failed('ANSWER_CUT', 'The model was cut at its output limit.', { metrics });
  }
  if (text === '') return failed('ANSWER_EMPTY', 'The model said nothing.', { metrics });
  return succeeded(answer.text, { metrics });
}

import { createModelProvider } from '../model-provider.ts';
import type { Provider } from '../provider.ts';
import type { VendorOptions } from '../vendor.ts';
import type { Wire } from '../wire.ts';
import { Message, readMessage } from './anthropic/anthropic-answer.ts';
import { type Block, type Form, isForced, messagesBody } from './anthropic/anthropic-messages.ts';
import { assembleMessage } from './anthropic/anthropic-stream.ts';

/** Anthropic's messages API. */
export const createProvider = (options: VendorOptions): Provider =>
  createModelProvider(messages, options);

const messages: Wire<Form, readonly Block[], Message> = {
  vendor: 'anthropic',
  basePath: '/v1',
  listPath: '/v1/models?limit=1000',
  headers: (apiKey) => ({
    'anthropic-version': '2023-06-01',
    ...(apiKey ? { 'x-api-key': apiKey } : {}),
  }),
  answer: Message,
  answerName: 'a message',
  assembler: assembleMessage,
  firstForm: () => ({ mayForce: true, mayThink: true, mayCache: true }),
  request: (request, call) => ({ path: '/v1/messages', body: messagesBody(request, call) }),
  read: readMessage,
  relax(refusal, request, call) {
    const { form, reasoning } = call;
    if (form.mayCache && request.tools?.length && /cache_control/.test(refusal))
      return { ...form, mayCache: false };
    if (isForced(request, call) && /tool_choice|thinking/i.test(refusal))
      return { ...form, mayForce: false };
    return form.mayThink && reasoning && /thinking|effort|output_config/i.test(refusal)
      ? { ...form, mayThink: false }
      : undefined;
  },
};

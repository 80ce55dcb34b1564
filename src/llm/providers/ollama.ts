import * as z from 'zod';
import { createModelProvider } from '../model-provider.ts';
import { type Provider, ProviderError } from '../provider.ts';
import { listWaitMs } from '../served-models.ts';
import type { Vendor, VendorOptions } from '../vendor.ts';
import type { Wire } from '../wire.ts';
import {
  assembleChat,
  Chat,
  chatBody,
  type Form,
  maxContextTokens,
  readChat,
} from './ollama/ollama-chat.ts';

/** Ollama's own chat API. */
export const createProvider = (options: VendorOptions): Provider =>
  createModelProvider(chat, options);

const chat: Wire<Form, string, Chat> = {
  vendor: 'ollama',
  basePath: '/api',
  listPath: '/api/tags',
  headers: (apiKey) => (apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  hasThinkTags: true,
  answer: Chat,
  answerName: 'a chat answer',
  assembler: assembleChat,
  firstForm: () => ({ mayThink: true }),
  request: (request, call) => ({ path: '/api/chat', body: chatBody(request, call) }),
  read: readChat,
  relax: (refusal, _request, { form, reasoning }) =>
    form.mayThink && reasoning && /think/i.test(refusal) ? { mayThink: false } : undefined,
  explain(error, model) {
    if (!(error instanceof ProviderError) || error.problem !== 'not_found') return error;
    const message = `${error.message} Get it with \`ollama pull ${model}\`, or choose another with CAPSTAN_MODEL_BALANCED.`;
    return new ProviderError(error.provider, message, error, { cause: error });
  },
  contextTokens: readWindow,
};

const Shown = z.object({ model_info: z.record(z.string(), z.unknown()) });

/** The context length that a model was trained for, up to the maximum of `chatBody`. */
async function readWindow(model: string, vendor: Vendor): Promise<number | undefined> {
  const answer = vendor.post('/api/show', { model }, AbortSignal.timeout(listWaitMs));
  const shown = Shown.safeParse(await answer.catch(() => undefined));
  const facts = Object.entries(shown.data?.model_info ?? {});
  const tokens = facts.find(([key]) => key.endsWith('.context_length'))?.[1];
  return typeof tokens === 'number' && tokens > 0 ? Math.min(tokens, maxContextTokens) : undefined;
}

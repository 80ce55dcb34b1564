import type { ModelHint } from '../../contract/chat.ts';
import { createCarried } from '../carried.ts';
import { contextWindowOf } from '../context-window.ts';
import { type ModelRequest, type Provider, ProviderError } from '../provider.ts';
import { readModelList } from '../served-models.ts';
import { baseWithout, modelChooser, openVendor, type VendorOptions } from '../vendor.ts';
import { readMessage } from './anthropic-answer.ts';
import { type Block, type DocumentForm, messagesBody } from './anthropic-messages.ts';
import { assembleMessage } from './anthropic-stream.ts';

export const anthropicBaseUrl = 'https://api.anthropic.com';

/** Known to `prices.ts`. */
export const anthropicModels: Readonly<Record<ModelHint, string>> = {
  fast: 'claude-haiku-4-5',
  balanced: 'claude-sonnet-5',
  best: 'claude-opus-5-5',
};

/** Anthropic's messages API. */
export function createAnthropicProvider(options: VendorOptions): Provider {
  const vendor = openVendor(
    {
      provider: 'anthropic',
      baseUrl: baseWithout(options.baseUrl ?? anthropicBaseUrl, '/v1'),
      keyName: 'ANTHROPIC_API_KEY',
      headers: {
        'anthropic-version': '2023-06-01',
        ...(options.apiKey ? { 'x-api-key': options.apiKey } : {}),
      },
      assembler: assembleMessage,
    },
    options,
  );
  const modelFor = modelChooser(anthropicModels, options.models);
  const carried = createCarried<readonly Block[]>(200);
  /** Models that think by default refuse a forced tool. */
  const thinking = new Set<string>();

  const ask = async (request: ModelRequest, signal: AbortSignal): Promise<unknown> => {
    const model = modelFor(request.hint);
    const post = (form: DocumentForm) =>
      vendor.post('/v1/messages', messagesBody(request, model, form, carried), signal);
    if (request.response === undefined || thinking.has(model)) return post('offered');
    try {
      return await post('forced');
    } catch (error) {
      if (!isAboutForcedTool(error)) throw error;
      thinking.add(model);
      return post('offered');
    }
  };

  return {
    name: 'anthropic',
    origin: vendor.origin,
    isModel: true,
    modelFor,
    contextTokens: (hint) =>
      contextWindowOf({ provider: 'anthropic', model: modelFor(hint), origin: vendor.origin }),
    listModels: async (signal) => readModelList(await vendor.get('/v1/models?limit=1000', signal)),
    chat: async (request, signal) => {
      const document = await ask(request, signal);
      return readMessage(document, request, { model: modelFor(request.hint), carried });
    },
    close: () => vendor.close(),
  };
}

const isAboutForcedTool = (error: unknown): boolean =>
  error instanceof ProviderError &&
  error.problem === 'bad_request' &&
  /tool_choice|thinking/i.test(error.message);

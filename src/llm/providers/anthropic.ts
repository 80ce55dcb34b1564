import { createCarried } from '../answer/carried.ts';
import { contextWindowOf } from '../prices/context-window.ts';
import { type ModelRequest, type OnText, type Provider, ProviderError } from '../provider.ts';
import { readModelList } from '../served-models.ts';
import { baseWithout, modelChooser, openVendor, type VendorOptions, vendorOf } from '../vendor.ts';
import { readMessage } from './anthropic/anthropic-answer.ts';
import { type Block, type DocumentForm, messagesBody } from './anthropic/anthropic-messages.ts';
import { assembleMessage } from './anthropic/anthropic-stream.ts';

/** Anthropic's messages API. */
export function createAnthropicProvider(options: VendorOptions): Provider {
  const { name, facts } = vendorOf(options, 'anthropic');
  const vendor = openVendor(
    {
      provider: name,
      baseUrl: baseWithout(options.baseUrl ?? facts.address, '/v1'),
      keyName: facts.keySetting,
      headers: {
        'anthropic-version': '2023-06-01',
        ...(options.apiKey ? { 'x-api-key': options.apiKey } : {}),
      },
      assembler: assembleMessage,
    },
    options,
  );
  const modelFor = modelChooser(facts.models, options.models);
  const carried = createCarried<readonly Block[]>(200);
  /** Features that a model has rejected: a forced tool (models that reason by default), a reasoning setting, a cache marker. */
  const refused = {
    forced: new Set<string>(),
    thinking: new Set<string>(),
    cache: new Set<string>(),
  };

  const ask = async (
    request: ModelRequest,
    signal: AbortSignal,
    onText: OnText | undefined,
  ): Promise<unknown> => {
    const model = modelFor(request.hint);
    const thinking = refused.thinking.has(model) ? undefined : options.reasoning;
    const isForced =
      request.response !== undefined &&
      !refused.forced.has(model) &&
      (thinking === undefined || thinking === 'none');
    const isCached = !refused.cache.has(model);
    const form: DocumentForm = isForced ? 'forced' : 'offered';
    const wantsStream = onText !== undefined;
    const body = messagesBody(request, { model, form, carried, thinking, isCached, wantsStream });
    try {
      return await vendor.post('/v1/messages', body, signal, onText);
    } catch (error) {
      const part = refusedPart(error, {
        forced: isForced,
        thinking: 'thinking' in body,
        cache: 'cache_control' in body,
      });
      if (part === undefined) throw error;
      refused[part].add(model);
      return ask(request, signal, onText);
    }
  };

  return {
    name,
    origin: vendor.origin,
    isModel: true,
    modelFor,
    contextTokens: (hint) =>
      contextWindowOf({ provider: name, model: modelFor(hint), origin: vendor.origin }),
    listModels: async (signal) => readModelList(await vendor.get('/v1/models?limit=1000', signal)),
    chat: async (request, signal, onText) => {
      const document = await ask(request, signal, onText);
      return readMessage(document, request, { model: modelFor(request.hint), carried });
    },
    restore: carried.restore,
    close: () => vendor.close(),
  };
}

type Part = 'forced' | 'thinking' | 'cache';

/** The rejected part of a request, if the request had it. */
function refusedPart(error: unknown, had: Readonly<Record<Part, boolean>>): Part | undefined {
  if (!(error instanceof ProviderError) || error.problem !== 'bad_request') return undefined;
  const { message } = error;
  if (had.cache && /cache_control/.test(message)) return 'cache';
  if (had.forced && /tool_choice|thinking/i.test(message)) return 'forced';
  return had.thinking && /thinking|effort|output_config/i.test(message) ? 'thinking' : undefined;
}

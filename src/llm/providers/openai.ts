import { createCarried } from '../answer/carried.ts';
import { skipThoughts } from '../answer/think-tags.ts';
import { contextWindowOf } from '../prices/context-window.ts';
import { type ModelRequest, type OnText, type Provider, ProviderError } from '../provider.ts';
import { keptList, listWaitMs, readModelList } from '../served-models.ts';
import { modelChooser, openVendor, type VendorOptions, vendorOf } from '../vendor.ts';
import { readCompletion } from './openai/openai-answer.ts';
import { type Dialect, firstDialect, relaxed } from './openai/openai-dialect.ts';
import { chatBody, type ToolCallExtras } from './openai/openai-messages.ts';
import { assembleCompletion } from './openai/openai-stream.ts';

/** Maximum number of rejected formats that one call adapts to. */
const maxAdaptations = 5;

/**
 * OpenAI's chat completions, and every compatible server (base URL ending in `/v1` or similar).
 *
 * If a server rejects a request format (400, not billed), the request is repeated in the next simpler format, which is then remembered.
 */
export function createOpenaiProvider(options: VendorOptions): Provider {
  const { name, facts } = vendorOf(options, 'openai');
  const baseUrl = options.baseUrl ?? facts.address;
  const vendor = openVendor(
    {
      provider: name,
      baseUrl,
      keyName: facts.keySetting,
      headers: options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {},
      assembler: assembleCompletion,
    },
    options,
  );
  const carried = createCarried<ToolCallExtras>();
  const modelFor = modelChooser(facts.models, options.models);
  const learned = new Map<string, Dialect>();
  const first = firstDialect(isOpenaiOrigin(vendor.origin));

  const listModels = async (signal: AbortSignal) =>
    readModelList(await vendor.get('/models', signal));
  const served = () => keptList(baseUrl, () => listModels(AbortSignal.timeout(listWaitMs)));

  const ask = async (
    request: ModelRequest,
    call: { readonly signal: AbortSignal; readonly onText: OnText | undefined },
    adaptationsLeft = maxAdaptations,
  ): Promise<unknown> => {
    const model = modelFor(request.hint);
    const form = `${model} ${request.tools?.length ? 'tools' : ''}`;
    const dialect = learned.get(form) ?? first;
    try {
      const { reasoning } = options;
      const wantsStream = call.onText !== undefined;
      const body = chatBody(request, { model, dialect, carried, reasoning, wantsStream });
      return await vendor.post('/chat/completions', body, call.signal, call.onText);
    } catch (error) {
      const next = isRefusedForm(error)
        ? relaxed({
            dialect,
            refusal: error.message,
            hasDocument: request.response !== undefined,
          })
        : undefined;
      if (next === undefined || adaptationsLeft === 0) throw error;
      learned.set(form, next);
      return ask(request, call, adaptationsLeft - 1);
    }
  };

  return {
    name,
    origin: vendor.origin,
    isModel: true,
    modelFor,
    contextTokens: async (hint) => {
      const model = modelFor(hint);
      const known = await contextWindowOf({ provider: name, model, origin: vendor.origin });
      return known ?? (await served()).find(({ id }) => id === model)?.contextTokens;
    },
    listModels,
    chat: async (request, signal, onText) => {
      const document = await ask(request, { signal, onText: onText && skipThoughts(onText) });
      return readCompletion(document, request, { model: modelFor(request.hint), carried });
    },
    restore: carried.restore,
    close: () => vendor.close(),
  };
}

const isRefusedForm = (error: unknown): error is ProviderError =>
  error instanceof ProviderError &&
  error.problem === 'bad_request' &&
  (error.status === 400 || error.status === 422);

const isOpenaiOrigin = (origin: string): boolean =>
  /(^|\.)(openai\.com|openai\.azure\.com)$/.test(new URL(origin).hostname);

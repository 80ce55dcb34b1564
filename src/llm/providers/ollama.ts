import * as z from 'zod';
import { createCarried } from '../answer/carried.ts';
import { skipThoughts } from '../answer/think-tags.ts';
import { type ModelRequest, type OnText, type Provider, ProviderError } from '../provider.ts';
import { listWaitMs, readModelList } from '../served-models.ts';
import {
  baseWithout,
  modelChooser,
  openVendor,
  type Vendor,
  type VendorOptions,
  vendorOf,
} from '../vendor.ts';
import { assembleChat, chatBody, maxContextTokens, readChat } from './ollama/ollama-chat.ts';

/** The default if neither the settings nor the server name a model. */
const fallbackModel = 'qwen3';

/** Ollama's own chat API. */
export function createOllamaProvider(options: VendorOptions): Provider {
  const vendor = openOllama(options);
  const modelFor = modelChooser(
    { fast: fallbackModel, balanced: fallbackModel, best: fallbackModel },
    options.models,
  );
  const windows = new Map<string, Promise<number | undefined>>();
  const carried = createCarried<string>();
  /** Models without reasoning. */
  const withoutThinking = new Set<string>();

  const ask = async (
    request: ModelRequest,
    signal: AbortSignal,
    onText: OnText | undefined,
  ): Promise<unknown> => {
    const model = modelFor(request.hint);
    const thinking = withoutThinking.has(model) ? undefined : options.reasoning;
    const body = chatBody(request, { model, carried, thinking, wantsStream: onText !== undefined });
    try {
      return await vendor.post('/api/chat', body, signal, onText);
    } catch (error) {
      if (!thinking || !isAboutThinking(error)) throw error;
      withoutThinking.add(model);
      return ask(request, signal, onText);
    }
  };

  return {
    name: vendorOf(options, 'ollama').name,
    origin: vendor.origin,
    isModel: true,
    modelFor,
    contextTokens: (hint) => {
      const model = modelFor(hint);
      const known = windows.get(model) ?? readWindow(vendor, model);
      windows.set(model, known);
      return known;
    },
    listModels: async (signal) => readModelList(await vendor.get('/api/tags', signal)),
    chat: async (request, signal, onText) => {
      const model = modelFor(request.hint);
      const document = await ask(request, signal, onText && skipThoughts(onText)).catch((error) => {
        throw withPullHint(error, model);
      });
      return readChat(document, request, { model, carried });
    },
    restore: carried.restore,
    close: () => vendor.close(),
  };
}

const Shown = z.object({ model_info: z.record(z.string(), z.unknown()) });

/** The context length that a model was trained for, up to the maximum of `chatBody`. */
async function readWindow(vendor: Vendor, model: string): Promise<number | undefined> {
  const answer = vendor.post('/api/show', { model }, AbortSignal.timeout(listWaitMs));
  const shown = Shown.safeParse(await answer.catch(() => undefined));
  const [, tokens] =
    Object.entries(shown.data?.model_info ?? {}).find(([key]) => /\.context_length$/.test(key)) ??
    [];
  return typeof tokens === 'number' && tokens > 0 ? Math.min(tokens, maxContextTokens) : undefined;
}

const Tags = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      details: z.object({ family: z.string().nullish() }).nullish().catch(undefined),
    }),
  ),
});

/** The installed chat models, most recently changed first. @throws ProviderError if Ollama does not answer. */
export async function installedModels(
  options: VendorOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const vendor = openOllama(options);
  try {
    const tags = Tags.safeParse(await vendor.get('/api/tags', signal));
    return (tags.data?.models ?? [])
      .filter(({ name, details }) => !/embed|bert/i.test(`${name} ${details?.family ?? ''}`))
      .map(({ name }) => name);
  } finally {
    vendor.close();
  }
}

function openOllama(options: VendorOptions): Vendor {
  const { name, facts } = vendorOf(options, 'ollama');
  return openVendor(
    {
      provider: name,
      baseUrl: baseWithout(options.baseUrl ?? facts.address, '/api'),
      headers: options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {},
      assembler: assembleChat,
    },
    options,
  );
}

const isAboutThinking = (error: unknown): boolean =>
  error instanceof ProviderError && error.problem === 'bad_request' && /think/i.test(error.message);

function withPullHint(error: unknown, model: string): unknown {
  if (!(error instanceof ProviderError) || error.problem !== 'not_found') return error;
  return new ProviderError(
    error.provider,
    `${error.message} Get it with \`ollama pull ${model}\`, or choose another with CAPSTAN_MODEL_BALANCED.`,
    error,
    { cause: error },
  );
}

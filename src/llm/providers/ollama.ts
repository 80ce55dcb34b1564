import * as z from 'zod';
import { type Provider, ProviderError } from '../provider.ts';
import { baseWithout, modelChooser, openVendor, type VendorOptions } from '../vendor.ts';
import { assembleChat, chatBody, readChat } from './ollama-chat.ts';

export const ollamaBaseUrl = 'http://127.0.0.1:11434';

/** Asked for where neither settings nor the server name one. */
const fallbackModel = 'qwen3';

/** Ollama's own chat API. */
export function createOllamaProvider(options: VendorOptions): Provider {
  const vendor = openOllama(options);
  const modelFor = modelChooser(
    { fast: fallbackModel, balanced: fallbackModel, best: fallbackModel },
    options.models,
  );
  return {
    name: 'ollama',
    origin: vendor.origin,
    isModel: true,
    modelFor,
    chat: async (request, signal) => {
      const model = modelFor(request.hint);
      const post = vendor.post('/api/chat', chatBody(request, model), signal);
      const document = await post.catch((error: unknown) => {
        throw withPullHint(error, model);
      });
      return readChat(document, request, model);
    },
    close: () => vendor.close(),
  };
}

const Tags = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      details: z.object({ family: z.string().nullish() }).nullish().catch(undefined),
    }),
  ),
});

/** The installed models that can chat, the one changed last first. @throws ProviderError where Ollama does not answer. */
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

const openOllama = (options: VendorOptions) =>
  openVendor(
    {
      provider: 'ollama',
      baseUrl: baseWithout(options.baseUrl ?? ollamaBaseUrl, '/api'),
      headers: options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {},
      assembler: assembleChat,
    },
    options,
  );

function withPullHint(error: unknown, model: string): unknown {
  if (!(error instanceof ProviderError) || error.problem !== 'not_found') return error;
  return new ProviderError(
    error.provider,
    `${error.message} Get it with \`ollama pull ${model}\`, or choose another with CAPSTAN_MODEL_BALANCED.`,
    error,
    { cause: error },
  );
}

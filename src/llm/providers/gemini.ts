import type { ModelHint } from '../../contract/chat.ts';
import { createCarried } from '../carried.ts';
import { contextWindowOf } from '../context-window.ts';
import { type ModelRequest, type Provider, ProviderError } from '../provider.ts';
import { readModelList } from '../served-models.ts';
import { defaultMaxOutputTokens } from '../usage.ts';
import { baseWithout, modelChooser, openVendor, type VendorOptions } from '../vendor.ts';
import { assembleGenerated, readGenerated } from './gemini-answer.ts';
import { contentBody, type DocumentForm } from './gemini-contents.ts';

export const geminiBaseUrl = 'https://generativelanguage.googleapis.com';

/** Known to `prices.ts`. */
export const geminiModels: Readonly<Record<ModelHint, string>> = {
  fast: 'gemini-3.5-flash-lite',
  balanced: 'gemini-3.6-flash',
  best: 'gemini-3.1-pro-preview',
};

/** Long outputs are streamed, so that no proxy on the way takes the silence for an end. */
const streamAboveTokens = 16_384;

/** Google's Gemini API. */
export function createGeminiProvider(options: VendorOptions): Provider {
  const vendor = openVendor(
    {
      provider: 'gemini',
      baseUrl: baseWithout(options.baseUrl ?? geminiBaseUrl, '/v1beta'),
      keyName: 'GEMINI_API_KEY',
      headers: options.apiKey ? { 'x-goog-api-key': options.apiKey } : {},
      assembler: assembleGenerated,
    },
    options,
  );
  const modelFor = modelChooser(geminiModels, options.models);
  const signatures = createCarried<string>();
  /** Documents whose schema was refused. */
  const refused = new Set<string>();

  const ask = async (request: ModelRequest, signal: AbortSignal): Promise<unknown> => {
    const path = pathOf(modelFor(request.hint), request);
    const post = (form: DocumentForm) =>
      vendor.post(path, contentBody(request, form, signatures), signal);
    const { response } = request;
    if (response === undefined || request.tools?.length || refused.has(response.name)) {
      return post('words');
    }
    try {
      return await post('schema');
    } catch (error) {
      if (!isAboutSchema(error)) throw error;
      refused.add(response.name);
      return post('words');
    }
  };

  return {
    name: 'gemini',
    origin: vendor.origin,
    isModel: true,
    modelFor,
    contextTokens: (hint) =>
      contextWindowOf({ provider: 'gemini', model: modelFor(hint), origin: vendor.origin }),
    listModels: async (signal) =>
      readModelList(await vendor.get('/v1beta/models?pageSize=1000', signal)),
    chat: async (request, signal) => {
      const document = await ask(request, signal);
      return readGenerated(document, request, { model: modelFor(request.hint), signatures });
    },
    close: () => vendor.close(),
  };
}

function pathOf(model: string, request: ModelRequest): string {
  const name = encodeURIComponent(model.replace(/^models\//, ''));
  const isLong = (request.max_output_tokens ?? defaultMaxOutputTokens) > streamAboveTokens;
  return `/v1beta/models/${name}:${isLong ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}

const isAboutSchema = (error: unknown): boolean =>
  error instanceof ProviderError &&
  error.problem === 'bad_request' &&
  /schema|mime.?type|json mode|generation_config|generationConfig/i.test(error.message);

import { createCarried } from '../answer/carried.ts';
import { defaultMaxOutputTokens } from '../answer/usage.ts';
import { contextWindowOf } from '../prices/context-window.ts';
import { type ModelRequest, type OnText, type Provider, ProviderError } from '../provider.ts';
import { readModelList } from '../served-models.ts';
import { baseWithout, modelChooser, openVendor, type VendorOptions, vendorOf } from '../vendor.ts';
import { assembleGenerated, readGenerated } from './gemini/gemini-answer.ts';
import { contentBody, type DocumentForm } from './gemini/gemini-contents.ts';

/** Longer outputs are streamed, so that no proxy closes the idle connection. */
const streamAboveTokens = 16_384;

/** Google's Gemini API. */
export function createGeminiProvider(options: VendorOptions): Provider {
  const { name, facts } = vendorOf(options, 'gemini');
  const vendor = openVendor(
    {
      provider: name,
      baseUrl: baseWithout(options.baseUrl ?? facts.address, '/v1beta'),
      keyName: facts.keySetting,
      headers: options.apiKey ? { 'x-goog-api-key': options.apiKey } : {},
      assembler: assembleGenerated,
    },
    options,
  );
  const modelFor = modelChooser(facts.models, options.models);
  const signatures = createCarried<string>();
  /** Documents whose schema was rejected. */
  const refused = new Set<string>();
  /** Models that rejected a reasoning setting. */
  const withoutThinking = new Set<string>();

  const formOf = ({ response, tools }: ModelRequest): DocumentForm =>
    response && !tools?.length && !refused.has(response.name) ? 'schema' : 'words';
  const thinkingFor = (model: string) =>
    withoutThinking.has(model) ? undefined : options.reasoning;

  const ask = async (
    request: ModelRequest,
    signal: AbortSignal,
    onText: OnText | undefined,
  ): Promise<unknown> => {
    const model = modelFor(request.hint);
    const form = formOf(request);
    const thinking = thinkingFor(model);
    const body = contentBody(request, { model, form, signatures, thinking });
    try {
      return await vendor.post(pathOf(model, request, onText !== undefined), body, signal, onText);
    } catch (error) {
      if (thinking && isAbout(/thinking/i, error)) withoutThinking.add(model);
      else if (form === 'schema' && isAbout(aboutSchema, error)) refused.add(nameOf(request));
      else throw error;
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
    listModels: async (signal) =>
      readModelList(await vendor.get('/v1beta/models?pageSize=1000', signal)),
    chat: async (request, signal, onText) => {
      const document = await ask(request, signal, onText);
      return readGenerated(document, request, { model: modelFor(request.hint), signatures });
    },
    restore: signatures.restore,
    close: () => vendor.close(),
  };
}

function pathOf(model: string, request: ModelRequest, wantsStream: boolean): string {
  const name = encodeURIComponent(model.replace(/^models\//, ''));
  const isStream =
    wantsStream || (request.max_output_tokens ?? defaultMaxOutputTokens) > streamAboveTokens;
  return `/v1beta/models/${name}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}

const nameOf = ({ response }: ModelRequest): string => response?.name ?? '';

const aboutSchema = /schema|mime.?type|json mode|generation_config|generationConfig/i;

const isAbout = (pattern: RegExp, error: unknown): boolean =>
  error instanceof ProviderError && error.problem === 'bad_request' && pattern.test(error.message);

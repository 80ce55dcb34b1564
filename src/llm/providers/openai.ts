import { createModelProvider } from '../model-provider.ts';
import { contextWindowOf } from '../prices/context-window.ts';
import type { Provider } from '../provider.ts';
import { listWaitMs, readModelList } from '../served-models.ts';
import type { VendorOptions, Wire } from '../vendor.ts';
import { Completion, readCompletion } from './openai/openai-answer.ts';
import { type Dialect, firstDialect, relaxed } from './openai/openai-dialect.ts';
import { chatBody, type ToolCallExtras } from './openai/openai-messages.ts';
import { assembleCompletion } from './openai/openai-stream.ts';

/** OpenAI's chat completions, and every compatible server (base URL ending in `/v1` or similar). */
export const createProvider = (options: VendorOptions): Provider =>
  createModelProvider(completions, options);

const LIST_PATH = '/models';

const completions: Wire<Dialect, ToolCallExtras, Completion> = {
  vendor: 'openai',
  listPath: LIST_PATH,
  headers: (apiKey) => (apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  hasThinkTags: true,
  answer: Completion,
  answerName: 'a chat completion',
  assembler: assembleCompletion,
  firstForm: (origin) => firstDialect(isOpenaiOrigin(origin)),
  request: (request, call) => ({ path: '/chat/completions', body: chatBody(request, call) }),
  read: readCompletion,
  relax: (refusal, { response }, { form }) =>
    relaxed({ dialect: form, refusal, hasDocument: response !== undefined }),
  async contextTokens(model, vendor) {
    const known = await contextWindowOf({ provider: vendor.name, model, origin: vendor.origin });
    if (known !== undefined) return known;
    const list = vendor.get(LIST_PATH, AbortSignal.timeout(listWaitMs)).catch(() => []);
    return readModelList(await list).find(({ id }) => id === model)?.contextTokens;
  },
};

const isOpenaiOrigin = (origin: string): boolean =>
  /(^|\.)(openai\.com|openai\.azure\.com)$/.test(new URL(origin).hostname);

import { createModelProvider } from '../model-provider.ts';
import type { Provider } from '../provider.ts';
import type { VendorOptions } from '../vendor.ts';
import type { Wire } from '../wire.ts';
import { assembleGenerated, Generated, readGenerated } from './gemini/gemini-answer.ts';
import { contentBody, type Form, usesSchema } from './gemini/gemini-contents.ts';

/** Google's Gemini API. */
export const createProvider = (options: VendorOptions): Provider =>
  createModelProvider(generateContent, options);

const generateContent: Wire<Form, string, Generated> = {
  vendor: 'gemini',
  basePath: '/v1beta',
  listPath: '/v1beta/models?pageSize=1000',
  headers: (apiKey) => (apiKey ? { 'x-goog-api-key': apiKey } : {}),
  answer: Generated,
  answerName: 'generated content',
  assembler: assembleGenerated,
  firstForm: () => ({ mayThink: true, refusedDocuments: [] }),
  request(request, call) {
    const model = encodeURIComponent(call.model.replace(/^models\//, ''));
    const action = call.wantsStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    return { path: `/v1beta/models/${model}:${action}`, body: contentBody(request, call) };
  },
  read: readGenerated,
  relax(refusal, request, { form, reasoning }) {
    if (form.mayThink && reasoning && /thinking/i.test(refusal))
      return { ...form, mayThink: false };
    if (!request.response || !usesSchema(request, form) || !aboutSchema.test(refusal)) return;
    return { ...form, refusedDocuments: [...form.refusedDocuments, request.response.name] };
  },
};

const aboutSchema = /schema|mime.?type|json mode|generation_config|generationConfig/i;

import * as z from 'zod';
import type { ChatMessage } from '../../contract/wire/chat.ts';
import type { GivenAnswer } from '../answer/answer.ts';
import { callsOf, systemTexts, toolNames, turnsOf } from '../answer/messages.ts';
import { type Reasoning, thinkingTokens } from '../answer/reasoning.ts';
import { documentInstruction, titledSchema } from '../answer/structured.ts';
import { type Reported, Tokens } from '../answer/usage.ts';
import { StreamBroken } from '../http/stream-events.ts';
import { createModelProvider } from '../model-provider.ts';
import type { ModelRequest, Provider } from '../provider.ts';
import type { Assembler, Call, VendorOptions, Wire } from '../vendor.ts';

/** Google's Gemini API. */
export const createProvider = (options: VendorOptions): Provider =>
  createModelProvider(generateContent, options);

const Part = z.object({
  text: z.string().nullish(),
  /** Whether it is a summary of the reasoning. */
  thought: z.boolean().nullish(),
  thoughtSignature: z.string().nullish(),
  functionCall: z
    .object({
      id: z.string().nullish().catch(undefined),
      name: z.string(),
      args: z.unknown().optional(),
    })
    .nullish(),
});
type Part = z.infer<typeof Part>;

const Generated = z.object({
  modelVersion: z.string().nullish(),
  candidates: z
    .array(
      z.object({
        content: z.object({ parts: z.array(Part).nullish() }).nullish(),
        finishReason: z.string().nullish(),
        finishMessage: z.string().nullish(),
      }),
    )
    .nullish(),
  promptFeedback: z
    .object({ blockReason: z.string().nullish(), blockReasonMessage: z.string().nullish() })
    .nullish()
    .catch(undefined),
  usageMetadata: z
    .object({
      promptTokenCount: Tokens,
      toolUsePromptTokenCount: Tokens,
      cachedContentTokenCount: Tokens,
      candidatesTokenCount: Tokens,
      thoughtsTokenCount: Tokens,
    })
    .nullish()
    .catch(undefined),
});
type Generated = z.infer<typeof Generated>;

const refusals =
  /^(SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII|IMAGE_\w+|NO_IMAGE|MODEL_ARMOR)$/;
/** Finish reasons for errors of the model, which a retry may avoid. */
const modelErrors =
  /^(MALFORMED_\w+|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS|MISSING_THOUGHT_SIGNATURE|OTHER)$/;

/** Reads one generated content. */
function readGenerated(generated: Generated): GivenAnswer<string> {
  const { candidates, promptFeedback, modelVersion } = generated;
  const candidate = candidates?.[0];
  const parts = candidate?.content?.parts ?? [];
  const reason = candidate?.finishReason ?? promptFeedback?.blockReason ?? '';
  const problem = problemOf(candidate === undefined, reason);
  const finish = finishOf(candidate === undefined, reason);
  return {
    model: modelVersion,
    text: textOf(parts) || (finish === 'refusal' ? blockedText(generated, reason) : ''),
    calls: parts.flatMap(({ functionCall, thoughtSignature }) =>
      functionCall ? [{ ...functionCall, extra: thoughtSignature || undefined }] : [],
    ),
    finish,
    usage: reported(generated),
    output: JSON.stringify(parts),
    problem:
      problem && candidate?.finishMessage ? `${problem}: ${candidate.finishMessage}` : problem,
  };
}

const textOf = (parts: readonly Part[]): string =>
  parts.map(({ thought, text }) => (thought === true ? '' : (text ?? ''))).join('');

/** The problem if there is no candidate without a reason, or an error of the model: a retry may succeed. */
function problemOf(hasNone: boolean, reason: string): string | undefined {
  if (hasNone) return reason === '' ? 'it has no candidate' : undefined;
  return modelErrors.test(reason) ? `it ended with ${reason}` : undefined;
}

function blockedText({ candidates, promptFeedback }: Generated, reason: string): string {
  const message = candidates?.[0]?.finishMessage || promptFeedback?.blockReasonMessage;
  return message ? `Blocked: ${reason} (${message})` : `Blocked: ${reason}`;
}

function finishOf(isBlocked: boolean, reason: string): GivenAnswer<unknown>['finish'] {
  if (isBlocked || refusals.test(reason)) return 'refusal';
  return reason === 'MAX_TOKENS' ? 'length' : 'stop';
}

/** Reasoning is billed as output; tool results in the prompt are counted separately. */
function reported({ usageMetadata }: Generated): Reported {
  const prompt = usageMetadata?.promptTokenCount;
  const candidates = usageMetadata?.candidatesTokenCount ?? 0;
  const isCounted = typeof prompt === 'number';
  return {
    input: isCounted ? prompt + (usageMetadata?.toolUsePromptTokenCount ?? 0) : undefined,
    cached: usageMetadata?.cachedContentTokenCount,
    output: isCounted ? candidates + (usageMetadata?.thoughtsTokenCount ?? 0) : undefined,
  };
}

/** Assembles one generated content from the events of `streamGenerateContent?alt=sse`. */
function assembleGenerated(): Assembler {
  const parts: Part[] = [];
  let last: Generated = {};
  let reason: string | undefined;
  let message: string | undefined;
  return {
    push(event) {
      const parsed = Generated.safeParse(event);
      if (!parsed.success) throw new StreamBroken('an event is not generated content');
      const candidate = parsed.data.candidates?.[0];
      const added = candidate?.content?.parts ?? [];
      parts.push(...added);
      reason = candidate?.finishReason ?? reason;
      message = candidate?.finishMessage ?? message;
      last = {
        ...last,
        ...parsed.data,
        usageMetadata: parsed.data.usageMetadata ?? last.usageMetadata,
      };
      return textOf(added);
    },
    isComplete: () => reason !== undefined || Boolean(last.promptFeedback?.blockReason),
    document: () => ({
      ...last,
      candidates:
        reason === undefined
          ? []
          : [{ content: { parts }, finishReason: reason, finishMessage: message }],
    }),
  };
}

/** The features that a model accepts. */
interface Form {
  readonly mayThink: boolean;
  /** Names of documents whose schema was rejected. */
  readonly refusedDocuments: readonly string[];
}

/** Whether a document is requested by its schema; else in the prompt. The API rejects a schema with tools. */
const usesSchema = ({ response, tools }: ModelRequest, form: Form): boolean =>
  response !== undefined && !tools?.length && !form.refusedDocuments.includes(response.name);

/** The placeholder for a missing signature of a call. Source: ai.google.dev/gemini-api/docs/thought-signatures */
const noSignature = Buffer.from('skip_thought_signature_validator').toString('base64');

/** One `POST …:generateContent`. Source: ai.google.dev/api/generate-content */
function contentBody(
  request: ModelRequest,
  { model, form, reasoning, maxTokens, extraOf }: Call<Form, string>,
): Record<string, unknown> {
  const { response, tools, messages } = request;
  const hasSchema = usesSchema(request, form);
  const names = toolNames(messages);
  const system = systemTexts(messages);
  if (response && !hasSchema) system.push(documentInstruction(response));
  return {
    contents: turnsOf(messages, (message) => partsOf(message, names, extraOf)).map(
      ({ isModel, parts }) => ({ role: isModel ? 'model' : 'user', parts }),
    ),
    ...(system.length > 0 ? { systemInstruction: { parts: [{ text: system.join('\n\n') }] } } : {}),
    ...(tools?.length ? { tools: [{ functionDeclarations: tools.map(declaration) }] } : {}),
    generationConfig: {
      maxOutputTokens: maxTokens,
      ...(form.mayThink && reasoning ? thinkingConfig(model, reasoning, maxTokens) : {}),
      ...(response && hasSchema
        ? { responseMimeType: 'application/json', responseJsonSchema: titledSchema(response) }
        : {}),
    },
  };
}

/** Models of version 2.5 take a token budget, later ones a level; the larger ones can't disable reasoning. */
function thinkingConfig(model: string, level: Reasoning, maxOutputTokens: number) {
  const version = Number(/gemini-(\d+(\.\d+)?)/.exec(model)?.[1] ?? 3);
  const isLarge = /pro/.test(model);
  if (version < 2.5) return {};
  if (version >= 3) {
    const least = isLarge ? 'low' : 'minimal';
    return { thinkingConfig: { thinkingLevel: level === 'none' ? least : level } };
  }
  const none = isLarge ? 128 : 0;
  const thinkingBudget = level === 'none' ? none : thinkingTokens(level, maxOutputTokens);
  return { thinkingConfig: { thinkingBudget } };
}

function declaration(tool: NonNullable<ModelRequest['tools']>[number]) {
  const { $schema: _, ...parameters } = tool.parameters;
  return { name: tool.name, description: tool.description, parametersJsonSchema: parameters };
}

function partsOf(
  message: ChatMessage,
  names: ReadonlyMap<string, string>,
  extraOf: Call<Form, string>['extraOf'],
): Readonly<Record<string, unknown>>[] {
  if (message.role === 'tool') {
    const name = names.get(message.tool_call_id) ?? 'unknown';
    const response = { output: message.content };
    return [{ functionResponse: { id: message.tool_call_id, name, response } }];
  }
  const text = message.content === '' ? [] : [{ text: message.content }];
  const calls = callsOf(message).map(({ id, name, args }, index) => {
    const thoughtSignature = extraOf(id) ?? (index === 0 ? noSignature : undefined);
    return { functionCall: { id, name, args }, ...(thoughtSignature && { thoughtSignature }) };
  });
  return [...text, ...calls];
}

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

import * as z from 'zod';
import { finishAnswer, type GivenAnswer } from '../../answer/answer.ts';
import type { Carried } from '../../answer/carried.ts';
import { type SettledUsage, settleUsage } from '../../answer/usage.ts';
import { malformed } from '../../failure/failure.ts';
import { StreamBroken } from '../../http/stream-events.ts';
import type { ChatResult, ModelRequest } from '../../provider.ts';
import type { Assembler } from '../../vendor.ts';

const Tokens = z.number().nullish().catch(undefined);

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

/** Reads one generated content. @throws ProviderError `malformed` */
export function readGenerated(
  document: unknown,
  request: ModelRequest,
  asked: { model: string; signatures: Carried<string> },
): ChatResult {
  const parsed = Generated.safeParse(document);
  if (!parsed.success) throw malformed('gemini', 'it is not generated content');
  const { candidates, promptFeedback, modelVersion } = parsed.data;
  const candidate = candidates?.[0];
  const parts = candidate?.content?.parts ?? [];
  const settled = usageOf(parsed.data, request, parts);
  const reason = candidate?.finishReason ?? promptFeedback?.blockReason ?? '';
  const problem = problemOf(candidate === undefined, reason);
  if (problem !== undefined) {
    const message = candidate?.finishMessage ? `${problem}: ${candidate.finishMessage}` : problem;
    throw malformed('gemini', message, settled.usage);
  }
  const called = parts.filter(({ functionCall }) => functionCall);
  const finish = finishOf(candidate === undefined, reason);
  const result = finishAnswer(
    {
      provider: 'gemini',
      model: modelVersion || asked.model,
      text: textOf(parts) || (finish === 'refusal' ? blockedText(parsed.data, reason) : ''),
      calls: called.flatMap(({ functionCall }) => functionCall ?? []),
      finish,
      ...settled,
    },
    request,
  );
  for (const [index, { id }] of result.response.tool_calls.entries()) {
    const signature = called[index]?.thoughtSignature;
    if (signature) asked.signatures.keep(id, signature);
  }
  return asked.signatures.addTo(result);
}

/** The text without reasoning. */
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

function finishOf(isBlocked: boolean, reason: string): GivenAnswer['finish'] {
  if (isBlocked || refusals.test(reason)) return 'refusal';
  return reason === 'MAX_TOKENS' ? 'length' : 'stop';
}

/** Reasoning is billed as output; tool results in the prompt are counted separately. */
function usageOf(
  { usageMetadata }: Generated,
  request: ModelRequest,
  parts: readonly Part[],
): SettledUsage {
  const prompt = usageMetadata?.promptTokenCount;
  const candidates = usageMetadata?.candidatesTokenCount;
  const thoughts = usageMetadata?.thoughtsTokenCount;
  const isCounted = typeof prompt === 'number';
  return settleUsage(
    {
      input: isCounted ? prompt + (usageMetadata?.toolUsePromptTokenCount ?? 0) : undefined,
      cached: usageMetadata?.cachedContentTokenCount,
      output: isCounted ? (candidates ?? 0) + (thoughts ?? 0) : undefined,
    },
    request,
    JSON.stringify(parts),
  );
}

/** Assembles one generated content from the events of `streamGenerateContent?alt=sse`. */
export function assembleGenerated(): Assembler {
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

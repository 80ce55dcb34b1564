import * as z from 'zod';
import type { GivenAnswer } from '../../answer/answer.ts';
import { type Reported, Tokens } from '../../answer/usage.ts';
import { StreamBroken } from '../../http/stream-events.ts';
import type { Assembler } from '../../vendor.ts';

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

export const Generated = z.object({
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
export type Generated = z.infer<typeof Generated>;

const refusals =
  /^(SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII|IMAGE_\w+|NO_IMAGE|MODEL_ARMOR)$/;
/** Finish reasons for errors of the model, which a retry may avoid. */
const modelErrors =
  /^(MALFORMED_\w+|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS|MISSING_THOUGHT_SIGNATURE|OTHER)$/;

/** Reads one generated content. */
export function readGenerated(generated: Generated): GivenAnswer<string> {
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

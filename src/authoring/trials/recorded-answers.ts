import * as z from 'zod';
import type { ChatRequest } from '../../contract/wire/chat.ts';
import { ApiCallDecision, ToolCallResult } from '../../contract/wire/coordinator-messages.ts';
import { type Intent, toolRequest } from '../../contract/wire/protocol.ts';
import { canonicalHash } from '../../platform/text/canonical-hash.ts';

/** A reply without the id of its intent. */
export const RecordedReply = z.union([
  ToolCallResult.omit({ id: true }),
  ApiCallDecision.omit({ id: true }),
]);
export type RecordedReply = z.infer<typeof RecordedReply>;

/** An answer that a capsule got once, for replay when the same is requested. Paths of its workspace are replaced. */
export const RecordedAnswer = z.object({
  kind: z.enum(['tool', 'chat', 'http']),
  /** `file_io.read`, `chat`. */
  name: z.string(),
  tier: z.int(),
  /** SHA-256 of the request. */
  asked: z.string(),
  /** Of a model call: SHA-256 of its conversation without the system prompt and without tool results. */
  talk: z.string().nullable(),
  reply: RecordedReply,
  costMicroUsd: z.number().nonnegative(),
  /** The question that a person would have been asked about it, or null. */
  question: z.string().nullable(),
  /** The run that got it. Undefined in the record of a case, and for answers that a trial got itself. */
  run: z.object({ id: z.string(), createdAt: z.string() }).optional(),
});
export type RecordedAnswer = z.infer<typeof RecordedAnswer>;

/** Whether it can be replayed. A model call that failed or was refused has no answer. */
export const isAnswer = ({ kind, reply }: Pick<RecordedAnswer, 'kind' | 'reply'>): boolean =>
  kind !== 'chat' || ('approved' in reply && reply.approved && reply.error === undefined);

/** `reworded`: the answer to the same conversation under another system prompt, or after other tool results. */
export interface Found {
  readonly answer: RecordedAnswer;
  readonly how: 'same' | 'reworded';
}

export type RecordedAnswers = ReturnType<typeof createRecordedAnswers>;

/** Answers for replay, each used once. */
export function createRecordedAnswers(answers: readonly RecordedAnswer[]) {
  let left = [...answers];
  const takeFirst = (matches: (answer: RecordedAnswer) => boolean): RecordedAnswer | undefined => {
    const answer = left.find(matches);
    if (answer) left = left.filter((one) => one !== answer);
    return answer;
  };
  return {
    /** @param mayReword Whether a model's answer under another prompt is acceptable. */
    take(intent: Intent, roots: readonly string[], mayReword: boolean): Found | undefined {
      const { asked, talk } = keysOf(intent, roots);
      const same = takeFirst((one) => one.asked === asked);
      if (same) return { answer: same, how: 'same' };
      if (talk === null || !mayReword) return undefined;
      const similar = takeFirst((one) => one.talk === talk);
      return similar && { answer: similar, how: 'reworded' };
    },
  };
}

/** The keys by which the answer to an intent is found. */
export function keysOf(
  intent: Intent,
  roots: readonly string[],
): Pick<RecordedAnswer, 'kind' | 'asked' | 'talk'> {
  const hash = (value: unknown) => canonicalHash(withoutDurations(withoutRoots(value, roots)));
  if (intent.type === 'tool_call_intent')
    return { kind: 'tool', asked: hash(toolRequest(intent)), talk: null };
  const { request } = intent;
  if (request.kind === 'http') return { kind: 'http', asked: hash(request), talk: null };
  return { kind: 'chat', asked: hash(requestOf(request)), talk: hash(conversationOf(request)) };
}

/** Descriptions of tools are Capstan's own and may change: only the names count. */
const requestOf = ({ tools, ...request }: ChatRequest) => ({
  ...request,
  tools: tools?.map(({ name }) => name),
});

const conversationOf = ({ messages }: ChatRequest) =>
  messages
    .filter(({ role }) => role !== 'system')
    .map((message) => (message.role === 'tool' ? { ...message, content: '' } : message));

const PLACEHOLDER = '‹workspace›';

/** Replaces these folders in a JSON value by a placeholder. */
export function withoutRoots<T>(value: T, roots: readonly string[]): T {
  return inText(value, (text) =>
    roots
      .filter((root) => root.length > 1)
      .reduce((result, root) => result.replaceAll(inJson(root), PLACEHOLDER), text),
  );
}

/** Replaces the placeholder in a JSON value by this folder. */
export const withRoot = <T>(value: T, root: string): T =>
  inText(value, (text) => text.replaceAll(PLACEHOLDER, inJson(root)));

/** The duration of a command is part of its result and differs each time. */
const withoutDurations = <T>(value: T): T =>
  inText(value, (text) => text.replace(/(duration_ms\\*":)\s*[\d.]+/g, '$10'));

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const inText = <T>(value: T, change: (text: string) => string): T =>
  value === undefined ? value : (JSON.parse(change(JSON.stringify(value))) as T);

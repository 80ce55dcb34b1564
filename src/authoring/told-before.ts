import type { ChatRequest } from '../contract/chat.ts';
import type { ApiCallDecision, Intent, ToolCallResult } from '../contract/protocol.ts';
import { canonicalHash } from '../platform/canonical-hash.ts';

/** What a capsule was told once, to be told again to whoever asks the same. Paths of its workspace are put aside. */
export interface ToldAnswer {
  readonly kind: 'tool' | 'chat' | 'http';
  /** `file_io.read`, `chat`. */
  readonly name: string;
  readonly tier: number;
  /** SHA-256 of what was asked. */
  readonly asked: string;
  /** Of a model call: SHA-256 of its conversation without the system prompt and without what tools answered. */
  readonly talk: string | null;
  readonly reply: Told;
  readonly costMicroUsd: number;
  /** The question that a person would have been asked about it; null where none. */
  readonly question: string | null;
}

/** A reply without the id of its intent. */
export type Told = Omit<ToolCallResult, 'id'> | Omit<ApiCallDecision, 'id'>;

/** Whether it is one: a model that was out of reach, or that nobody paid for, gave none. */
export const isAnswer = ({ kind, reply }: Pick<ToldAnswer, 'kind' | 'reply'>): boolean =>
  kind !== 'chat' || ('approved' in reply && reply.approved && reply.error === undefined);

/** `reworded`: the answer to the same conversation under another system prompt, or after other tool results. */
export interface Found {
  readonly answer: ToldAnswer;
  readonly how: 'same' | 'reworded';
}

/** Answers to be told again, each once. */
export interface ToldBefore {
  /** @param mayReword Whether a model's answer under another prompt is good enough. */
  take(intent: Intent, roots: readonly string[], mayReword: boolean): Found | undefined;
}

export function createToldBefore(answers: readonly ToldAnswer[]): ToldBefore {
  let left = [...answers];
  const takeFirst = (fits: (answer: ToldAnswer) => boolean): ToldAnswer | undefined => {
    const answer = left.find(fits);
    if (answer) left = left.filter((one) => one !== answer);
    return answer;
  };
  return {
    take(intent, roots, mayReword) {
      const { asked, talk } = keysOf(intent, roots);
      const same = takeFirst((one) => one.asked === asked);
      if (same) return { answer: same, how: 'same' };
      if (talk === null || !mayReword) return undefined;
      const alike = takeFirst((one) => one.talk === talk);
      return alike && { answer: alike, how: 'reworded' };
    },
  };
}

/** What an intent is found by again. */
export function keysOf(
  intent: Intent,
  roots: readonly string[],
): Pick<ToldAnswer, 'kind' | 'asked' | 'talk'> {
  const hash = (value: unknown) => canonicalHash(timeless(placeless(value, roots)));
  if (intent.type === 'tool_call_intent') {
    return { kind: 'tool', asked: hash({ tool: intent.tool, args: intent.args }), talk: null };
  }
  const { request } = intent;
  if (request.kind === 'http') return { kind: 'http', asked: hash(request), talk: null };
  return { kind: 'chat', asked: hash(askedOf(request)), talk: hash(talkOf(request)) };
}

/** A tool's description is ours, and its wording no matter of the capsule's. */
const askedOf = ({ tools, ...request }: ChatRequest) => ({
  ...request,
  tools: tools?.map(({ name }) => name),
});

const talkOf = ({ messages }: ChatRequest) =>
  messages
    .filter(({ role }) => role !== 'system')
    .map((message) => (message.role === 'tool' ? { ...message, content: '' } : message));

/** Stands for the workspace in what is kept. */
const PLACE = '‹workspace›';

/** A value of JSON in which no folder of ours is named any more. */
export function placeless<T>(value: T, roots: readonly string[]): T {
  return replaced(value, (text) =>
    roots
      .filter((root) => root.length > 1)
      .reduce((so, root) => so.replaceAll(inJson(root), PLACE), text),
  );
}

/** The same the other way: what was kept, as it would have been said in this workspace. */
export const placed = <T>(value: T, root: string): T =>
  replaced(value, (text) => text.replaceAll(PLACE, inJson(root)));

/** How long a command took is in its answer, and different each time. */
const timeless = <T>(value: T): T =>
  replaced(value, (text) => text.replace(/(duration_ms\\*":)\s*[\d.]+/g, '$10'));

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const replaced = <T>(value: T, change: (text: string) => string): T =>
  value === undefined ? value : (JSON.parse(change(JSON.stringify(value))) as T);

import * as z from 'zod';
import type { hookPoints } from '../config/files/hook-points.ts';
import { messageOf } from '../contract/errors.ts';
import { issueLine } from '../contract/text/issue-line.ts';
import { once } from '../platform/once.ts';
import { parseWellFormed } from '../platform/text/well-formed.ts';

/** A point at which a hook is called. */
export type HookPoint = (typeof hookPoints)[number];

/** The valid answers at each point; any other answer is a failure of the hook. */
export const answersAt: Readonly<Record<HookPoint, readonly HookResult[]>> = {
  pre_run: ['continue', 'deny', 'inject'],
  post_run: ['continue', 'inject'],
  pre_plan: ['continue', 'deny', 'inject'],
  post_plan: ['continue', 'deny', 'inject'],
  pre_model_call: ['continue', 'deny', 'ask', 'modify'],
  post_model_call: ['continue', 'inject'],
  pre_tool_call: ['continue', 'deny', 'ask', 'modify'],
  post_tool_call: ['continue', 'inject'],
  pre_approval: ['continue', 'deny', 'ask'],
  post_approval: ['continue', 'inject'],
};

export type HookResult = 'continue' | 'deny' | 'ask' | 'modify' | 'inject';

/** The payload of a hook, besides the point and the ids; snake_case, secrets redacted. */
export interface HookPayload {
  readonly run_id: string;
  readonly subtask_id?: string;
  readonly capsule_id?: string;
  /** For `tools` and `operations` of the definition. */
  readonly tool?: string;
  readonly operation?: string;
  readonly [name: string]: unknown;
}

/** The combined answer of all hooks of one point. */
export interface HookVerdict {
  readonly kind: 'continue' | 'deny' | 'ask' | 'modify';
  /** The hook that decided; empty for `continue`. */
  readonly hook: string;
  /** Its reason. */
  readonly why: string;
  /** The value after the last hook that modified it. */
  readonly value?: unknown;
  readonly injected: readonly { readonly by: string; readonly text: string }[];
}

export const CONTINUE: HookVerdict = { kind: 'continue', hook: '', why: '', injected: [] };

/** Maximum size of a hook's answer, in bytes. */
export const MAX_ANSWER_BYTES = 256 * 1024;

const answerSchema = once(() => {
  const why = z.string().max(2_000).default('');
  return z.discriminatedUnion('result', [
    z.strictObject({ result: z.literal('continue') }),
    z.strictObject({ result: z.literal('deny'), why }),
    z.strictObject({ result: z.literal('ask'), why }),
    z.strictObject({ result: z.literal('modify'), value: z.unknown(), why }),
    z.strictObject({ result: z.literal('inject'), text: z.string().min(1).max(10_000) }),
  ]);
});
export type Answer = z.output<ReturnType<typeof answerSchema>>;

/**
 * Parses a hook's answer. No output means `continue`; `null` is invalid, since a broken program may print it by mistake.
 *
 * @throws Error with the problem of the answer.
 */
export function parseAnswer(said: string | undefined, point: HookPoint): Answer {
  if (said === undefined || said === '') return { result: 'continue' };
  if (Buffer.byteLength(said) > MAX_ANSWER_BYTES) {
    throw new Error(`its answer is longer than ${MAX_ANSWER_BYTES} bytes`);
  }
  const parsed = answerSchema().safeParse(parseJson(said));
  if (!parsed.success) throw new Error(`its answer is invalid: ${issueLine(parsed.error)}`);
  const { result } = parsed.data;
  if (answersAt[point].includes(result)) return parsed.data;
  throw new Error(
    `"${result}" is not an answer at ${point}; valid answers: ${answersAt[point].join(', ')}`,
  );
}

function parseJson(text: string): unknown {
  try {
    return parseWellFormed(text);
  } catch (error) {
    throw new Error(`it did not print JSON: ${messageOf(error)}`);
  }
}

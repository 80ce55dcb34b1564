import * as z from 'zod';
import { messageOf } from '../contract/errors.ts';
import { issueLine } from '../contract/text/issue-line.ts';
import { once } from '../platform/once.ts';
import { parseWellFormed } from '../platform/text/well-formed.ts';
import { answersAt, type HookPoint } from './hook.ts';

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

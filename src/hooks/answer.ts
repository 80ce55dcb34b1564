import * as z from 'zod';
import { messageOf } from '../contract/errors.ts';
import { parseWellFormed } from '../platform/well-formed.ts';
import { answersAt, type HookPoint } from './hook.ts';

/** Most that a hook may answer with, in bytes. */
export const MAX_ANSWER_BYTES = 256 * 1024;

const why = z.string().max(2_000).default('');

const Answer = z.discriminatedUnion('result', [
  z.strictObject({ result: z.literal('continue') }),
  z.strictObject({ result: z.literal('deny'), why }),
  z.strictObject({ result: z.literal('ask'), why }),
  z.strictObject({ result: z.literal('modify'), value: z.unknown(), why }),
  z.strictObject({ result: z.literal('inject'), text: z.string().min(1).max(10_000) }),
]);
export type Answer = z.output<typeof Answer>;

/**
 * What a hook said, as JSON. Nothing at all is `continue`; `null` is no answer, since a broken program prints it easily.
 *
 * @throws Error that says what is wrong with it.
 */
export function parseAnswer(said: string | undefined, point: HookPoint): Answer {
  if (said === undefined || said === '') return { result: 'continue' };
  if (said.length > MAX_ANSWER_BYTES) {
    throw new Error(`its answer is longer than ${MAX_ANSWER_BYTES} bytes`);
  }
  const parsed = Answer.safeParse(parseJson(said));
  if (!parsed.success) throw new Error(`its answer is none: ${z.prettifyError(parsed.error)}`);
  const { result } = parsed.data;
  if (answersAt[point].includes(result)) return parsed.data;
  throw new Error(`"${result}" is no answer at ${point}; there are ${answersAt[point].join(', ')}`);
}

function parseJson(text: string): unknown {
  try {
    return parseWellFormed(text);
  } catch (error) {
    throw new Error(`it printed no JSON: ${messageOf(error)}`);
  }
}

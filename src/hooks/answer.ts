import * as z from 'zod';
import { messageOf } from '../errors.ts';
import { answersAt, type HookPoint } from './hook.ts';

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
 * What a hook said. Nothing at all is `continue`.
 *
 * @throws Error that says what is wrong with it.
 */
export function parseAnswer(said: unknown, point: HookPoint): Answer {
  if (said === undefined || said === null || said === '') return { result: 'continue' };
  const parsed = Answer.safeParse(typeof said === 'string' ? parseJson(said) : said);
  if (!parsed.success) throw new Error(`its answer is none: ${z.prettifyError(parsed.error)}`);
  const { result } = parsed.data;
  if (answersAt[point].includes(result)) return parsed.data;
  throw new Error(`"${result}" is no answer at ${point}; there are ${answersAt[point].join(', ')}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`it printed no JSON: ${messageOf(error)}`);
  }
}

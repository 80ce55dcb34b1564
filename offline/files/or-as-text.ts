import type { HandlerContext, Outcome } from '../context.ts';
import { firstFit } from '../phrases/form.ts';
import { readInstruction } from '../phrases/instruction.ts';
import { TaskError } from '../task-error.ts';
import { countForms } from './count-text.ts';
import { extractForms } from './extract-text.ts';
import { readForms } from './read-files.ts';
import { searchForms } from './search-text.ts';

const forms = [...countForms, ...extractForms, ...searchForms, ...readForms];

/**
 * The answer of a capsule that reads tables; where that can't place the words and they ask for lines of a file as text,
 * those.
 *
 * @throws TaskError What the answer threw, or what stands against reading the file as text.
 */
export async function orAsText(
  context: HandlerContext,
  answer: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await answer();
  } catch (error) {
    const isRefused = error instanceof TaskError && refusals.has(error.code);
    const act = isRefused ? firstFit(readInstruction(context.task), forms) : undefined;
    if (act === undefined) throw error;
    return act(context);
  }
}

const refusals = new Set(['NOT_UNDERSTOOD', 'INPUT_INVALID', 'NOT_SUPPORTED', 'FORMAT_UNKNOWN']);

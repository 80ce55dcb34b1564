import type { HandlerContext, Outcome } from '../context.ts';
import { type Fit, firstFit } from '../phrases/form.ts';
import { readInstruction } from '../phrases/instruction.ts';
import { fitWithFile } from '../phrases/match-form.ts';
import { TaskError } from '../task-error.ts';
import { countForms } from './text/count-text.ts';
import { extractForms } from './text/extract-text.ts';
import { readForms } from './text/read-files.ts';
import { searchForms } from './text/search-text.ts';

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
    const act = isRefused ? await asText(context) : undefined;
    if (act === undefined) throw error;
    return act(context);
  }
}

const asText = async (context: HandlerContext): Promise<Fit | undefined> => {
  const instruction = readInstruction(context.task);
  return firstFit(instruction, forms) ?? (await fitWithFile(context, instruction, forms));
};

const refusals = new Set([
  ...['NOT_UNDERSTOOD', 'INPUT_INVALID', 'NOT_SUPPORTED', 'FORMAT_UNKNOWN', 'NOT_FOR_ME'],
]);

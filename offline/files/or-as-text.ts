import type { HandlerContext, Outcome } from '../context.ts';
import { type Fit, type Form, firstFit } from '../phrases/form.ts';
import { readInstruction } from '../phrases/instruction.ts';
import { fitWithFile } from '../phrases/perform-task.ts';
import { TaskError } from '../task-error.ts';
import { countForms } from './text/count-text.ts';
import { extractForms } from './text/extract-text.ts';
import { readForms } from './text/read-text.ts';
import { searchForms } from './text/search-text.ts';

const forms = [...countForms, ...extractForms, ...searchForms, ...readForms];

/**
 * The answer of a capsule that reads tables. Lines, words and characters of a CSV file, and questions that it does not
 * understand, are answered from the text of the file.
 *
 * @throws TaskError The error of the answer, or of reading the file as text.
 */
export async function orAsText(
  context: HandlerContext,
  answer: () => Promise<Outcome>,
): Promise<Outcome> {
  const counts = asksForLines.test(context.task) ? await asText(context, countForms) : undefined;
  if (counts !== undefined) return counts(context);
  try {
    return await answer();
  } catch (error) {
    const isRefused = error instanceof TaskError && refusals.has(error.code);
    const act = isRefused ? await asText(context) : undefined;
    if (act === undefined) throw error;
    return act(context);
  }
}

/** Lines, words and characters are counted in the text, with headers and empty lines; rows in the table. */
const asksForLines = /\b(?:lines?|words?|characters?)\b.*\.(?:csv|tsv)\b/i;

async function asText(
  context: HandlerContext,
  known: readonly Form[] = forms,
): Promise<Fit | undefined> {
  const instruction = readInstruction(context.task);
  return firstFit(instruction, known) ?? (await fitWithFile(context, instruction, known));
}

const refusals = new Set([
  ...['NOT_UNDERSTOOD', 'INPUT_INVALID', 'NOT_SUPPORTED', 'FORMAT_UNKNOWN', 'NOT_FOR_ME'],
]);

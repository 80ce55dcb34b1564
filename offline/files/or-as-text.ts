import type { HandlerContext, Outcome } from '../context.ts';
import { type Form, firstFit } from '../phrases/form.ts';
import { readInstruction } from '../phrases/instruction.ts';
import { fitWithFile } from '../phrases/perform-task.ts';
import { TaskError } from '../task-error.ts';
import { countForms } from './text/count-text.ts';
import { extractForms } from './text/extract-text.ts';
import { readForms } from './text/read-text.ts';
import { searchForms } from './text/search-text.ts';
import { lineForms } from './text/show-lines.ts';

/** Lines, words and characters are counted in the text, with headers and empty lines; rows in the table. */
const asksForLines = /\b(?:lines?|words?|characters?)\b.*\.(?:csv|tsv)\b/i;

/** The first or last lines of a log are shown as they stand. */
const asksForEnds = /\b(?:first|last)\b.*\blines?\b.*\.log\b/i;

const refusals = /^(?:NOT_UNDERSTOOD|INPUT_INVALID|NOT_SUPPORTED|FORMAT_UNKNOWN|NOT_FOR_ME)$/;

/**
 * The answer of a capsule that reads tables. Lines, words and characters of a CSV file, the ends of a log, and questions
 * that it does not understand, are answered from the text of the file.
 *
 * @throws TaskError The error of the answer, or of reading the file as text.
 */
export async function orAsText(
  context: HandlerContext,
  answer: () => Promise<Outcome>,
): Promise<Outcome> {
  const instruction = readInstruction(context.task);
  const meant = async (forms: readonly Form[]) =>
    firstFit(instruction, forms) ?? (await fitWithFile(context, instruction, { forms }));
  const ends = asksForEnds.test(context.task) ? await meant(lineForms) : undefined;
  const counts = asksForLines.test(context.task) ? await meant(countForms) : undefined;
  const asText = ends ?? counts;
  if (asText !== undefined) return asText(context);
  try {
    return await answer();
  } catch (error) {
    const isRefused = error instanceof TaskError && refusals.test(error.code);
    const forms = [...countForms, ...lineForms, ...extractForms, ...searchForms, ...readForms];
    const act = isRefused ? await meant(forms) : undefined;
    if (act === undefined) throw error;
    return act(context);
  }
}

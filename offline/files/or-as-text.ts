import type { HandlerContext, Outcome } from '../context.ts';
import { correctSpelling, performCorrected } from '../language/spelling.ts';
import { type Form, firstFit, patternWords } from '../phrases/form.ts';
import { type Instruction, readInstruction } from '../phrases/instruction.ts';
import { fitWithFile, readsFile } from '../phrases/perform-task.ts';
import { savedFit } from '../phrases/saved-form.ts';
import { fail, TaskError } from '../task-error.ts';
import { changingForms, textForms } from './file-forms.ts';
import { countForms } from './text/count-text.ts';
import { lookUp } from './text/look-up.ts';
import { lineForms } from './text/show-lines.ts';

/** Lines, words and characters of a CSV file are counted in its text, including the header and empty lines. */
const asksForLines = /\b(?:lines?|words?|characters?)\b.*\.(?:csv|tsv)\b/i;

/** The first or last lines of a log or text are shown unchanged. */
const asksForEnds = /\b(?:first|last|final)\b.*\blines?\b.*(?:\.(?:log|txt|md)|\blog)\b/i;

const refusals = /^(?:NOT_UNDERSTOOD|INPUT_INVALID|NOT_SUPPORTED|FORMAT_UNKNOWN|NOT_FOR_ME)$/;

/** Lines saved as text are lines of the file, not rows of a table. */
const savesLines = /\blines?\b.*\.(?:log|txt|md)\s*$/i;

/**
 * Answers a task from a table with `answer`. Tasks about lines, words or characters of a CSV file, about the ends of a log,
 * and tasks that `answer` refuses, are answered from the text of the file.
 *
 * @throws TaskError The error of `answer`, or of reading the text; `NOT_FOR_ME` if the task is to change files.
 */
export async function orAsText(
  context: HandlerContext,
  answer: () => Promise<Outcome>,
): Promise<Outcome> {
  const instruction = readInstruction(context.task);
  const asText = await fitAsText(context, instruction);
  if (asText !== undefined) return asText(context);
  try {
    return await answer();
  } catch (error) {
    const act = await afterError(context, instruction, error);
    return await Promise.resolve(act(context)).catch((other) => {
      throw other instanceof TaskError && other.code === 'NOT_FOR_ME' ? error : other;
    });
  }
}

/** How the text answers a task that `answer` refused. @throws TaskError The given error, if it does not. */
async function afterError(context: HandlerContext, instruction: Instruction, error: unknown) {
  if (!(error instanceof TaskError)) throw error;
  const isRefused = refusals.test(error.code);
  const act = isRefused ? await meant(context, instruction, textForms) : undefined;
  if (act !== undefined) return act;
  const corrected = isRefused ? await textCorrected(context) : undefined;
  if (corrected) return () => corrected;
  const mayQuote = error.code !== 'AMBIGUOUS' || /^\s*when (?:is|are)\b/i.test(context.task);
  const quoted = mayQuote ? await lookUp(context) : undefined;
  if (quoted) return () => quoted;
  const isChange = !isRefused && firstFit(instruction, changingForms) !== undefined;
  throw isChange ? new TaskError('NOT_FOR_ME', error.message) : error;
}

/** Answers the task from the text, with misspelled words corrected. */
function textCorrected(context: HandlerContext): Promise<Outcome | undefined> {
  const spelled = correctSpelling(context.task, patternWords(textForms));
  return performCorrected(context, spelled, async (one) => {
    const act = await meant(one, readInstruction(one.task), textForms);
    return act ? act(one) : fail('NOT_UNDERSTOOD', one.task);
  });
}

/** The form for a task about lines, words or characters. */
async function fitAsText(context: HandlerContext, instruction: Instruction) {
  const saved = savesLines.test(context.task) ? savedFit(instruction, lineForms) : undefined;
  const isEnds = asksForEnds.test(context.task);
  const forms = asksForLines.test(context.task) ? countForms : [];
  return saved ?? meant(context, instruction, [...(isEnds ? lineForms : []), ...forms]);
}

async function meant(context: HandlerContext, instruction: Instruction, forms: readonly Form[]) {
  const fit = firstFit(instruction, forms);
  if (fit !== undefined || forms.length === 0 || readsFile(instruction)) return fit;
  return fitWithFile(context, instruction, { forms });
}

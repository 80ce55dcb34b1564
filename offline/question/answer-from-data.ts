import type { Handler, HandlerContext, Outcome } from '../context.ts';
import { changingForms, textForms } from '../files/file-forms.ts';
import { listFolder, nameOf } from '../files/file-tool.ts';
import { countForms } from '../files/text/count-text.ts';
import { lookUp } from '../files/text/look-up.ts';
import { lineForms } from '../files/text/show-lines.ts';
import { tokenize } from '../language/lexer.ts';
import { reworded } from '../language/reword.ts';
import { correctSpelling, performCorrected } from '../language/spelling.ts';
import { type Form, firstFit, patternWords } from '../phrases/form.ts';
import { type Instruction, readInstruction } from '../phrases/instruction.ts';
import { fitWithFile, readsFile } from '../phrases/perform-task.ts';
import { savedFit } from '../phrases/saved-form.ts';
import { fail, TaskError } from '../task-error.ts';
import { answerQuestion } from './answer-question.ts';
import { inputFiles } from './choose/input-of.ts';
import { isGreeting, offerExamples } from './propose/examples.ts';

/** Answers a question about a file or database with one SQL statement, or from the text of the file. */
export const answerFromData: Handler = async (given) => {
  if (isGreeting(given.task)) return offerExamples(given);
  const said = { ...given, task: reworded(given.task) };
  const context = (isLongName.test(said.task) && (await withQuotes(said))) || said;
  try {
    return await answer(context);
  } catch (error) {
    const { code = '', message } = error as { readonly code?: string; readonly message: string };
    if (code === 'FILE_EMPTY' && countsRows.test(context.task))
      return { text: message, data: { columns: ['rows'], rows: [[0]] } };
    const folders = code === 'FILE_MISSING' ? withFolders : () => undefined;
    const elsewhere = (await withQuotes(context)) ?? (await folders(context));
    if (elsewhere === undefined) throw error;
    return answer(elsewhere);
  }
};

const countsRows = /^how many (?:rows|lines|records|entries) (?:are|does|has)\b/i;

/** Whether the name of a file may begin before its last word: `total in my data.csv`, which is not data.csv. */
const isLongName =
  /(?<!\b(?:in|from|of|for|to|into|and|or|the|file|table|with|as|on|by|using)) [^\s/]+\.[a-z]\w*/i;

/** Puts the name of an existing file with spaces in quotes. Undefined if the task has none. @throws TaskError `AMBIGUOUS` */
async function withQuotes(context: HandlerContext): Promise<HandlerContext | undefined> {
  const { task } = context;
  if (!/ \S+\.\w/.test(task) || /["`]/.test(task)) return undefined;
  const globs = ['**/* *'];
  const { entries = [] } = await listFolder(context, '.', { globs, recursive: true });
  const [name] = entries
    .flatMap(({ path }) => [path, nameOf(path)])
    .filter((one) => one.includes(' ') && task.includes(one))
    .toSorted((a, b) => b.length - a.length);
  if (name === undefined) return undefined;
  const paths = entries.flatMap(({ path }) => (nameOf(path) === name ? [path] : []));
  const isPath = entries.some(({ path }) => path === name);
  if (paths.length > 1 && !isPath)
    fail('AMBIGUOUS', `"${name}" may be ${paths.join(' or ')}. Put one of these paths in quotes.`);
  return { ...context, task: task.replace(name, () => `"${isPath ? name : paths[0]}"`) };
}

/** Adds the folders of files that a task names without them. Returns undefined unless each name has exactly one path. */
async function withFolders(context: HandlerContext): Promise<HandlerContext | undefined> {
  const names = inputFiles(tokenize(context.task)).filter((name) => !name.includes('/'));
  if (names.length === 0) return undefined;
  const globs = names.map((name) => `**/${name}`);
  const { entries } = await listFolder(context, '.', { globs, recursive: true });
  let { task } = context;
  for (const name of names) {
    const [only, ...others] = entries.filter(({ path }) => `/${path}`.endsWith(`/${name}`));
    if (only === undefined || others.length > 0) return undefined;
    task = task.replace(name, () => only.path);
  }
  return { ...context, task };
}

/** Lines, words and characters of a CSV file are counted in its text, including the header and empty lines. */
const asksForLines = /\b(?:lines?|words?|characters?)\b.*\.(?:csv|tsv)\b/i;

/** The first or last lines of a log or text are shown unchanged. */
const asksForEnds = /\b(?:first|last|final)\b.*\blines?\b.*(?:\.(?:log|txt|md)|\blog)\b/i;

const refusals = /^(?:NOT_UNDERSTOOD|INPUT_INVALID|NOT_SUPPORTED|FORMAT_UNKNOWN|NOT_FOR_ME)$/;

/** Lines saved as text are lines of the file, not rows of a table. */
const savesLines = /\blines?\b.*\.(?:log|txt|md)\s*$/i;

/** Answers from the table, or from the text: tasks about lines, words or the ends of a log, and those that the table does not answer. */
async function answer(context: HandlerContext): Promise<Outcome> {
  const instruction = readInstruction(context.task);
  const asText = await fitAsText(context, instruction);
  if (asText !== undefined) return asText(context);
  try {
    return await answerQuestion(context);
  } catch (error) {
    const act = await afterError(context, instruction, error);
    return await Promise.resolve(act(context)).catch((other) => {
      throw other instanceof TaskError && other.code === 'NOT_FOR_ME' ? error : other;
    });
  }
}

/** How the text answers a task that the table does not. @throws TaskError The given error, if it does not. */
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

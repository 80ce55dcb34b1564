import type { Handler, HandlerContext, Outcome } from '../context.ts';
import { changingForms, textForms } from '../files/file-forms.ts';
import { listFolder, nameOf, readLines } from '../files/file-tool.ts';
import { countForms } from '../files/text/count-text.ts';
import { lookUp } from '../files/text/look-up.ts';
import { lineForms } from '../files/text/show-lines.ts';
import { tokenize } from '../language/lexer.ts';
import { reworded } from '../language/reword.ts';
import { correctSpelling, performCorrected } from '../language/spelling.ts';
import { type Form, firstFit, patternWords } from '../phrases/form.ts';
import { type Instruction, readInstruction } from '../phrases/instruction.ts';
import { fitWithFile, readsFile, savedFit } from '../phrases/perform-task.ts';
import { fail, modelSettings, TaskError } from '../task-error.ts';
import { answerQuestion } from './answer-question.ts';
import { loadAll } from './choose/choose-table.ts';
import { dataFiles, inputFiles, MAX_LOOKED_AT } from './choose/input-of.ts';
import { exampleFor } from './propose/suggest.ts';

/** Answers a question about a file or database with one SQL statement, or from the text of the file. */
export const answerFromData: Handler = async (given) => {
  if (greeting.test(given.task)) return offerExamples(given);
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

/** A task that only greets, or asks what can be asked. */
const greeting =
  /^\W*(?:(?:hello|hi|hey|good (?:morning|evening|day))(?: there)?|help(?: me)?|(?:some )?examples?|what (?:can|could) (?:you|i|we) (?:do|ask)(?: here)?|what do you do|how (?:does (?:this|it)|do you) work|how can you help(?: me)?|who are you)\W*$/i;

/** Answers a greeting with tasks of different kinds that work in this folder. */
async function offerExamples(context: HandlerContext): Promise<Outcome> {
  const paths = (await dataFiles(context)).slice(0, MAX_LOOKED_AT);
  const files = await loadAll(context, paths);
  const questions = ['how many', 'top', 'latest'].flatMap((kind, at) => {
    const found = files.flatMap(({ tables }) =>
      tables.flatMap((table) => exampleFor(kind, table, tables) ?? []),
    );
    return found.slice(at % Math.max(1, found.length)).slice(0, 1);
  });
  const all = [...new Set(questions), ...(await ofTexts(context))];
  const works =
    all.length > 0
      ? `These work here:\n\n- ${all.join('\n- ')}`
      : 'Here are no files to ask about.';
  const lead = 'Without a language model, exact questions and instructions are understood.';
  return { text: `${lead} ${works}\n\nFor others, ${modelSettings}.`, data: { examples: all } };
}

/** A search and a change of the first text. */
async function ofTexts(context: HandlerContext): Promise<readonly string[]> {
  const globs = ['**/*.md', '**/*.txt'];
  const { entries } = await listFolder(context, '.', { globs, recursive: true });
  const found = entries.find(
    ({ kind, bytes, path }) => kind === 'file' && bytes > 80 && !/["\s]/.test(path),
  );
  if (!found) return [];
  const { path } = found;
  const { content } = await readLines(context, path, { from: 1, maxBytes: 4_096 });
  const word = tokenize(content).find(({ kind, text }) => kind === 'word' && text.length > 5);
  const [search, change] = [
    `Find the lines in ${path} that contain "${word?.text}"`,
    `Append "- [ ] call back" to ${path}`,
  ];
  return [
    ...(word && firstFit(readInstruction(search), textForms) ? [search] : []),
    ...(firstFit(readInstruction(change), changingForms) ? [change] : []),
  ];
}

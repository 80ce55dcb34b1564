import type { Handler, HandlerContext, Outcome } from '../context.ts';
import { listFolder, nameOf } from '../files/file-tool.ts';
import { orAsText } from '../files/or-as-text.ts';
import { tokenize } from '../language/lexer.ts';
import { reworded } from '../language/reword.ts';
import { fail } from '../task-error.ts';
import { answerQuestion } from './answer-question.ts';
import { isGreeting, offerExamples } from './examples.ts';
import { inputFiles } from './input-of.ts';

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

const answer = (context: HandlerContext): Promise<Outcome> =>
  orAsText(context, () => answerQuestion(context));

/**
 * Puts the name of an existing file with spaces in quotes. Returns undefined if the task has none.
 *
 * @throws TaskError `AMBIGUOUS` if several folders have a file with this name.
 */
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

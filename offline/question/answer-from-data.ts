import type { Handler, HandlerContext, Outcome } from '../context.ts';
import { listFolder, nameOf } from '../files/file-tool.ts';
import { orAsText } from '../files/or-as-text.ts';
import { tokenize } from '../language/lexer.ts';
import { reworded } from '../language/reword.ts';
import { answerQuestion } from './answer-question.ts';
import { isGreeting, offerExamples } from './examples.ts';
import { inputFiles } from './input-of.ts';

/** Answers a question about a file or database with one SQL statement, or from the text of the file. */
export const answerFromData: Handler = async (given) => {
  if (isGreeting(given.task)) return offerExamples(given);
  const context = { ...given, task: reworded(given.task) };
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

const answer = (context: HandlerContext): Promise<Outcome> =>
  orAsText(context, () => answerQuestion(context));

/** Puts the name of an existing file with spaces in quotes. Returns undefined if the task has none. */
async function withQuotes(context: HandlerContext): Promise<HandlerContext | undefined> {
  const { task } = context;
  if (!/ \S+\.\w/.test(task) || /["`]/.test(task)) return undefined;
  const globs = ['**/* *'];
  const { entries = [] } = await listFolder(context, '.', { globs, recursive: true });
  const [found] = entries
    .flatMap(({ path }) => [path, nameOf(path)].map((name) => ({ path, name })))
    .filter(({ name }) => name.includes(' ') && task.includes(name))
    .toSorted((a, b) => b.name.length - a.name.length);
  return found && { ...context, task: task.replace(found.name, () => `"${found.path}"`) };
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

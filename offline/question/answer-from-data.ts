import type { Handler, HandlerContext, Outcome } from '../context.ts';
import { listFolder } from '../files/file-tool.ts';
import { orAsText } from '../files/or-as-text.ts';
import { tokenize } from '../language/lexer.ts';
import { reworded } from '../language/reword.ts';
import { answerQuestion } from './answer-question.ts';
import { inputFiles } from './input-of.ts';

/** Answers a question about a file or database with one SQL statement, or from the text of the file. */
export const answerFromData: Handler = async (given) => {
  const context = { ...given, task: reworded(given.task) };
  try {
    return await answer(context);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'FILE_MISSING';
    const elsewhere = isMissing ? await withFolders(context) : undefined;
    if (elsewhere === undefined) throw error;
    return answer(elsewhere);
  }
};

const answer = (context: HandlerContext): Promise<Outcome> =>
  orAsText(context, () => answerQuestion(context));

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

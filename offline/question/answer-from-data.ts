import type { Handler, HandlerContext, Outcome } from '../context.ts';
import { orAsText } from '../files/or-as-text.ts';
import { reworded } from '../language/reword.ts';
import { answerQuestion } from './answer-question.ts';
import { withFolders } from './files-elsewhere.ts';

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

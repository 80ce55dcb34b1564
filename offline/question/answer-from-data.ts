import type { Handler } from '../context.ts';
import { orAsText } from '../files/or-as-text.ts';
import { answerQuestion } from './answer-question.ts';

/** Answers a question about the data in a file or database by one SQL statement, or from the text of the file. */
export const answerFromData: Handler = (context) =>
  orAsText(context, () => answerQuestion(context));

import { answerQuestion } from '../../offline/question/answer-question.ts';
import type { Handler } from '../runtime/capsule/sdk.ts';
import { orAsText } from './files/or-as-text.ts';

/** Answers questions about the data in a file from plain English, by one SQL statement, without a model. */
export const handlers: Record<string, Handler> = {
  answer: (context) => orAsText(context, () => answerQuestion(context)),
};

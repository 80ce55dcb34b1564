import type { Handler } from '../runtime/capsule/sdk.ts';
import { orAsText } from './files/or-as-text.ts';
import { answerFileTask } from './question/answer-task.ts';

/** Answers questions about log files from plain English, without a model. */
export const handlers: Record<string, Handler> = {
  answer: (context) => orAsText(context, () => answerFileTask(context)),
};

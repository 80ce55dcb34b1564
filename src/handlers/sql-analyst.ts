import type { Handler } from '../runtime/capsule/sdk.ts';
import { orAsText } from './files/or-as-text.ts';
import { answerSqlTask } from './question/answer-sql.ts';

/** Answers questions about SQLite databases from plain English or given SQL, without a model. */
export const handlers: Record<string, Handler> = {
  answer: (context) => orAsText(context, () => answerSqlTask(context)),
};

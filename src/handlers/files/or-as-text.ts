import { TaskError } from '../../../offline/task-error.ts';
import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { firstFit } from '../instruction/form.ts';
import { readInstruction } from '../instruction/instruction.ts';
import { countForms } from './count-text.ts';
import type { Outcome } from './file-tool.ts';
import { readForms } from './read-files.ts';
import { moveForms } from './refuse-moves.ts';
import { searchForms } from './search-text.ts';

const forms = [...moveForms, ...countForms, ...searchForms, ...readForms];

/**
 * The answer of a capsule that reads tables; where that can't place the words and they ask for lines of a file as text,
 * those.
 *
 * @throws TaskError What the answer threw, or what stands against reading the file as text.
 */
export async function orAsText<Answer>(
  context: HandlerContext,
  answer: () => Promise<Answer>,
): Promise<Answer | Outcome> {
  try {
    return await answer();
  } catch (error) {
    const isRefused = error instanceof TaskError && refusals.has(error.code);
    const act = isRefused ? firstFit(readInstruction(context.task), forms) : undefined;
    if (act === undefined) throw error;
    return act(context);
  }
}

const refusals = new Set(['NOT_UNDERSTOOD', 'INPUT_INVALID', 'NOT_SUPPORTED', 'FORMAT_UNKNOWN']);

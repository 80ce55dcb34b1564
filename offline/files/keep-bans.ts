import type { HandlerContext } from '../context.ts';
import type { Instruction } from '../phrases/instruction.ts';
import { TaskError } from '../task-error.ts';
import { findFile } from './file-tool.ts';

/**
 * Checks a change of a file against what the task itself forbids.
 *
 * @throws TaskError `INPUT_INVALID` if the task asks for a change of a file and also forbids it.
 */
export async function keepBans(
  context: HandlerContext,
  { bans }: Instruction,
  path: string,
): Promise<void> {
  for (const { kind, files, reach } of bans) {
    if (reach === 'named' ? !files.includes(path) : reach === 'others') continue;
    const mayBeNew = kind === 'overwrite' || reach === 'all';
    if (mayBeNew && (await findFile(context, path)) === undefined) continue;
    const problem = mayBeNew
      ? `${path} exists, and the task says not to ${kind} what is there`
      : `the task asks for a change of ${path} and forbids it`;
    throw new TaskError('INPUT_INVALID', `Nothing was done: ${problem}.`);
  }
}

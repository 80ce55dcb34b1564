import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import type { Instruction } from '../instruction/instruction.ts';
import { TaskError } from '../task-error.ts';
import { findFile } from './file-tool.ts';

/**
 * Sees to it that a task keeps its own bans before it touches a file.
 *
 * @throws TaskError `INPUT_INVALID` where the task both asks for a change of a file and forbids it.
 */
export async function keepBans(
  context: HandlerContext,
  { bans }: Instruction,
  path: string,
): Promise<void> {
  for (const { kind, files } of bans) {
    const isMeant = files.length === 0 || files.includes(path);
    if (!isMeant) continue;
    if (files.length === 0 && kind === 'change') continue;
    if (kind === 'overwrite' && (await findFile(context, path)) === undefined) continue;
    const problem =
      kind === 'overwrite'
        ? `${path} exists, and the task says not to overwrite it`
        : `the task asks for a change of ${path} and forbids it`;
    throw new TaskError('INPUT_INVALID', `Nothing was done: ${problem}.`);
  }
}

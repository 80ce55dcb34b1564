import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command, Operation } from '../../../contract/permissions/operation.ts';
import type { ChangeRecorder } from '../../changes/change-recorder.ts';
import { wordsAsPaths } from '../../changes/workspace/named-files.ts';

/** What a command may lead to beyond its words, as sentences for the person who decides. */
export async function consequencesOf(
  { command }: Operation,
  workspace: string,
  changes: Pick<ChangeRecorder, 'coversAll'> | undefined,
): Promise<readonly string[]> {
  if (command?.access !== 'write') return [];
  const isCovered = !changes || (await changes.coversAll(workspace));
  return [
    ...(namesHistory(command, workspace) ? [HISTORY] : []),
    ...(isCovered ? [] : [NOT_COVERED]),
  ];
}

const NOT_COVERED =
  'The folder has more or larger files than are kept for an undo, so not every change could be undone.';
const HISTORY = 'It names .git: it may remove or replace the history of the repository.';

const namesHistory = (command: Command, workspace: string): boolean =>
  [...wordsAsPaths(command, workspace)].some(
    ({ path, program }) =>
      (basename(path) === '.git' && program !== 'git') ||
      (program === 'rm' && (path.endsWith('/.git/*') || existsSync(join(path, '.git')))),
  );

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command, Operation } from '../../../contract/permissions/operation.ts';
import { wordsAsPaths } from '../../changes/workspace/named-files.ts';

/** What follows from an approval beyond the request itself, as a sentence for the person who decides; undefined: nothing. */
export function consequenceOf({ command }: Operation, workspace: string): string | undefined {
  return command?.access === 'write' && namesHistory(command, workspace) ? HISTORY : undefined;
}

const HISTORY = 'It names .git: it may remove or replace the history of the repository.';

const namesHistory = (command: Command, workspace: string): boolean =>
  [...wordsAsPaths(command, workspace)].some(
    ({ path, program }) =>
      (basename(path) === '.git' && program !== 'git') ||
      (program === 'rm' && (path.endsWith('/.git/*') || existsSync(join(path, '.git')))),
  );

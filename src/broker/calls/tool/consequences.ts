import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command, Operation } from '../../../contract/permissions/operation.ts';
import { decideToolCall } from '../../../policy/decide/decide-tool-call.ts';
import type { ToolCallFacts } from '../../../policy/decide/tool-call-facts.ts';
import { wordsAsPaths } from '../../changes/workspace/named-files.ts';

/** What follows from an approval beyond the request itself, as sentences for the person who decides. */
export function consequencesOf(operation: Operation, facts: ToolCallFacts): readonly string[] {
  const { command } = operation;
  if (command?.access === 'write') return namesHistory(command, facts.workspace) ? [HISTORY] : [];
  return isFreeAfterwards(operation, facts) ? [FREE_AFTERWARDS] : [];
}

const HISTORY = 'It names .git: it may remove or replace the history of the repository.';
const FREE_AFTERWARDS =
  'Later changes of this file by this run need no question, until you change it.';

/** Whether the same change would be allowed if this run had written the file last. */
function isFreeAfterwards(operation: Operation, facts: ToolCallFacts): boolean {
  const paths = facts.paths.map((path) =>
    path.access === 'write' ? { ...path, state: 'written_last_by_capstan' as const } : path,
  );
  const isWrite = paths.some(({ access }) => access === 'write');
  return isWrite && decideToolCall(operation, { ...facts, paths }).kind === 'allow';
}

const namesHistory = (command: Command, workspace: string): boolean =>
  [...wordsAsPaths(command, workspace)].some(
    ({ path, program }) =>
      (basename(path) === '.git' && program !== 'git') ||
      (program === 'rm' && (path.endsWith('/.git/*') || existsSync(join(path, '.git')))),
  );

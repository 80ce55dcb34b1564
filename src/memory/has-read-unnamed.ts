import { basename } from 'node:path';
import type { IntentSummary } from '../contract/intent.ts';

/** Tools that read nothing from outside. */
const READS_NOTHING = new Set(['ask_person', 'final']);

/**
 * Whether a run has read content that its user did not name: a page, a response of a service, files that a program may have read, or a
 * file that the task does not name. Such content may influence the notes of a capsule.
 *
 * @param intents All intents of the run.
 */
export const hasReadUnnamed = (
  task: string,
  intents: readonly Pick<IntentSummary, 'kind' | 'name' | 'target' | 'tier' | 'status'>[],
): boolean =>
  intents.some(
    (intent) => intent.status === 'done' && intent.kind !== 'chat' && readsUnnamed(task, intent),
  );

function readsUnnamed(
  task: string,
  { name, target, tier }: Pick<IntentSummary, 'name' | 'target' | 'tier'>,
): boolean {
  const [tool = ''] = name.split('.');
  if (READS_NOTHING.has(tool)) return false;
  if (tool === 'file_io') return tier === 0 && name !== 'file_io.list' && !isNamed(task, target);
  if (tool === 'sql_query') return !filesOf(target).every((file) => isNamed(task, file));
  return true;
}

/** The files of a query in its target: separated by commas, after the `save_as` file and before the statement. */
const filesOf = (target: string): string[] =>
  (target.split(': ', 1)[0] ?? '').replace(/^.* from /, '').split(', ');

/** Whether a text contains the last part of a path as a separate word. */
function isNamed(text: string, path: string): boolean {
  const name = basename(path);
  if (!/[\p{L}\p{N}]/u.test(name)) return false;
  const word = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(
    `(?<![\\p{L}\\p{N}_.-])${word}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`,
    'u',
  ).test(text);
}

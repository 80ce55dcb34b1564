import type { ProtectedPath } from '../runtime/sandbox/find-protected.ts';
import type { Sandbox } from '../runtime/sandbox/sandbox.ts';
import { type TakenAway, takeAwayNew } from '../runtime/sandbox/take-away.ts';
import { shownPath } from './paths.ts';
import type { Reach } from './reach.ts';

/** Says how to ask for writing, where a process that could only read seems to have failed for that. */
export function readOnlyHint(
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  { level }: Sandbox,
): string | undefined {
  if (level === 'none') return undefined;
  const refused = level === 'B' ? /permission denied|EACCES/i : /read-only file system|EROFS/i;
  return refused.test(stderr) || refused.test(stdout)
    ? 'The workspace could only be read, since the access was "read". If it has to be changed, ask again with the access "write".'
    : undefined;
}

const MOST_NAMED = 10;

/**
 * Takes away the protected files that a process made, however it ended.
 *
 * @param before What was protected when it was started.
 * @returns What the capsule should know of it; undefined where there was none.
 */
export async function takeAwayMade(
  before: readonly ProtectedPath[],
  { context }: Reach,
): Promise<string | undefined> {
  const taken = await takeAwayNew(before, context);
  if (taken === undefined) return undefined;
  const shown = (path: string) => shownPath(context.workspace, path);
  return [takenSentence(taken, shown), ...problemSentences(taken)].join(' ').trim();
}

function takenSentence({ paths, folder }: TakenAway, shown: (path: string) => string): string {
  if (paths.length === 0) return '';
  return `It made protected files, which no tool may write; they were taken out of the workspace again (to ${folder}): ${listOf(paths.map(shown))}.`;
}

const problemSentences = ({ problems }: TakenAway): readonly string[] =>
  problems.length === 0
    ? []
    : [
        `Not all that it may have made of protected files could be taken away: ${listOf(problems)}.`,
      ];

function listOf(all: readonly string[]): string {
  const more = all.length - MOST_NAMED;
  return `${all.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

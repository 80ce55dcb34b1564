import { createYielder } from '../../runtime/sandbox/create-yielder.ts';
import { MAX_SEARCH_MS, TOO_MANY_COVERED } from '../../runtime/sandbox/protect/find-protected.ts';
import type { ProtectedPath } from '../../runtime/sandbox/protect/protected-path.ts';
import { MAX_COVERED } from '../../runtime/sandbox/protect/search-folders.ts';
import { copyAt } from './shown-copy.ts';

/**
 * Looks into each file of Git's configuration: one that holds a credential is covered by a copy without it, read-only.
 *
 * @param found Of one workspace.
 * @param isReadOnly Whether one without a credential must not be written.
 * @throws Error where more is to be covered than can be, or it takes too long to tell.
 */
export async function coverGitConfigs(
  found: readonly ProtectedPath[],
  isReadOnly: (path: string) => boolean,
): Promise<readonly ProtectedPath[]> {
  const covered: ProtectedPath[] = [];
  const breath = createYielder();
  const untilMs = performance.now() + MAX_SEARCH_MS;
  for (const one of found) {
    const cover = one.how === 'git config' ? coverOf(one, isReadOnly) : one;
    if (cover !== undefined) covered.push(cover);
    if (covered.length > MAX_COVERED) throw new Error(TOO_MANY_COVERED);
    if (performance.now() > untilMs)
      throw new Error(`the workspace holds too many files of Git to look into ("${one.path}")`);
    if (breath.isDue()) await breath.take();
  }
  return covered;
}

function coverOf(
  one: ProtectedPath,
  isReadOnly: (path: string) => boolean,
): ProtectedPath | undefined {
  const copy = copyAt(one.path);
  if (copy === 'unreadable') return { ...one, how: 'hidden file' };
  if (copy !== undefined) return { ...one, how: 'copied', copy };
  return isReadOnly(one.path) ? { ...one, how: 'read-only' } : undefined;
}

import { createYielder } from '../../runtime/sandbox/create-yielder.ts';
import { MAX_SEARCH_MS, TOO_MANY_COVERED } from '../../runtime/sandbox/protect/find-protected.ts';
import type { ProtectedPath } from '../../runtime/sandbox/protect/protected-path.ts';
import { MAX_COVERED } from '../../runtime/sandbox/protect/search-folders.ts';
import { copyAt } from './shown-copy.ts';

/**
 * Examines each file of Git configuration. A file with a credential is covered by a read-only copy without it.
 *
 * @param found The protected paths of one workspace.
 * @param isReadOnly Whether a file without a credential must not be written.
 * @throws Error if there are too many files to cover, or examining them takes too long.
 */
export async function coverGitConfigs(
  found: readonly ProtectedPath[],
  isReadOnly: (path: string) => boolean,
): Promise<readonly ProtectedPath[]> {
  const covered: ProtectedPath[] = [];
  const yielder = createYielder();
  const untilMs = performance.now() + MAX_SEARCH_MS;
  for (const one of found) {
    const cover = one.how === 'git config' ? coverOf(one, isReadOnly) : one;
    if (cover !== undefined) covered.push(cover);
    if (covered.length > MAX_COVERED) throw new Error(TOO_MANY_COVERED);
    if (performance.now() > untilMs)
      throw new Error(
        `the workspace contains too many Git configuration files to check; the last one was ("${one.path}")`,
      );
    if (yielder.isDue()) await yielder.take();
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

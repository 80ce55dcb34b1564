import type { ProtectedPath } from '../../runtime/sandbox/protected-path.ts';
import { copyAt } from './shown-copy.ts';

/**
 * Looks into each file of Git's configuration: one that holds a credential is covered by a copy without it, read-only.
 *
 * @param isReadOnly Whether one without a credential must not be written.
 */
export const coverGitConfigs = (
  covered: readonly ProtectedPath[],
  isReadOnly: (path: string) => boolean,
): readonly ProtectedPath[] =>
  covered.flatMap((one): readonly ProtectedPath[] => {
    if (one.how !== 'git config') return [one];
    const copy = copyAt(one.path);
    if (copy === 'unreadable') return [{ ...one, how: 'hidden file' }];
    if (copy !== undefined) return [{ ...one, how: 'copied', copy }];
    return isReadOnly(one.path) ? [{ ...one, how: 'read-only' }] : [];
  });

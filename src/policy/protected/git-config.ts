import { isOpenedByName, type ProtectionFacts } from './protected-paths.ts';

/** Names of Git configuration files in any folder. In lower case. */
const configNames = /^(\.?gitconfig(\..*)?|\.gitmodules|\.lfsconfig)$/;

/** Below `.git`: folders with content, with names that people chose and with programs, and files without configuration. */
const otherFolders =
  /^(objects|refs|reftable|logs|hooks|info|lost-found|svn|lfs|annex|branchless|filter-repo|rr-cache|rebase-\w+|sequencer)$/;
const otherFiles =
  /^((shared)?index(\..*)?|packed-refs|.*_editmsg|.*_msg|.*head|description|shallow)$/;

/**
 * True for a file that may be part of Git's configuration, and so may contain a credential: in a repository, any file that is
 * not known to be something else, since a configuration can include files with any name. Files that the user's setting
 * opens are not included.
 *
 * @param path Absolute.
 */
export const isGitConfig = (
  path: string,
  facts: Pick<ProtectionFacts, 'workspace' | 'openPaths'>,
): boolean => isConfigPath(path.toLowerCase().split('/')) && !isOpenedByName(path, facts);

function isConfigPath(parts: readonly string[]): boolean {
  const name = parts.at(-1) ?? '';
  if (configNames.test(name)) return true;
  const below = parts.slice(parts.indexOf('.git') + 1);
  const isConfig = /^config(\.worktree)?$/.test(name);
  if (!parts.includes('.git') || below.length === 0) return isConfig && isOtherRepository(parts);
  if (below.join('/') === 'svn/.metadata') return true;
  // A submodule may be called `logs`.
  const folders = isConfig ? below.slice(0, 1) : below.slice(0, -1);
  return !folders.some((part) => otherFolders.test(part)) && !otherFiles.test(name);
}

/** A bare repository, a Jujutsu repository, and the user's own configuration. */
const isOtherRepository = (parts: readonly string[]): boolean =>
  parts.includes('.jj') || /(^|\.)git$/.test(parts.at(-2) ?? '');

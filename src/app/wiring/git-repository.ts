import { homedir } from 'node:os';
import type { Settings } from '../../config/settings.ts';
import type { Isolation } from '../../runtime/sandbox/find/find-isolation.ts';
import { resolveExisting } from '../../tools/files/paths.ts';
import { findRepository, type Repository } from '../../tools/git/find-repository.ts';
import { isTracked } from '../../tools/git/is-tracked.ts';
import { protectionFor } from './protection.ts';

/** The Git repository around the workspace that commands may read; undefined if there is none, or they read it anyway. */
export async function openGitRepository(
  settings: Pick<Settings, 'places' | 'workspace' | 'openPaths'>,
  { level, sandbox }: Isolation,
): Promise<Repository | undefined> {
  if (level !== 'A' && level !== 'B') return undefined;
  const { workspace } = settings;
  const found = findRepository({ workspace, home: resolveExisting(homedir()) });
  const isProtected = protectionFor(settings);
  if (found === undefined || found.paths.some((path) => isProtected(path, 'read')))
    return undefined;
  return (await isTracked(workspace, found, sandbox)) ? found : undefined;
}

/** A notice for the start of a run. */
export function repositoryNotices(repository: Repository | undefined): string[] {
  if (repository === undefined) return [];
  const paths = repository.paths.join(', ');
  return [
    `Commands can read the Git repository of the workspace, which is outside it (${paths}), and can't change it. For Git, files outside the workspace are missing.`,
  ];
}

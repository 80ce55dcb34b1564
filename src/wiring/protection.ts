import { homedir } from 'node:os';
import type { Settings } from '../config/settings.ts';
import { isProtectedPath } from '../policy/protected-paths.ts';
import { resolveExisting } from '../tools/paths.ts';

type Around = Pick<Settings, 'places' | 'workspace' | 'openPaths'>;

/** What no tool may touch, by paths whose links were followed: a home or a folder of ours behind a link is found all the same. */
export function protectionFor({ places, workspace, openPaths }: Around) {
  const named = Object.values(places);
  const ownDirs = [...new Set([...named, ...named.map(resolveExisting)])];
  const facts = { ownDirs, home: resolveExisting(homedir()), workspace, openPaths };
  return (path: string, access: 'read' | 'write'): boolean => isProtectedPath(path, access, facts);
}

import { homedir } from 'node:os';
import type { Settings } from '../../config/settings.ts';
import {
  isClosedToProcesses,
  isProtectedPath,
  type ProtectionFacts,
} from '../../policy/protected-paths.ts';
import { resolveExisting } from '../../tools/paths.ts';

type Around = Pick<Settings, 'places' | 'workspace' | 'openPaths'>;

/** What no tool may touch, by paths whose links were followed: a home or a folder of ours behind a link is found all the same. */
export function protectionFor(around: Around) {
  const facts = factsOf(around);
  return (path: string, access: 'read' | 'write'): boolean => isProtectedPath(path, access, facts);
}

/** What no process of a tool may touch, by such paths. */
export function processProtectionFor(around: Around) {
  const facts = factsOf(around);
  return (path: string, access: 'read' | 'write'): boolean =>
    isClosedToProcesses(path, access, facts);
}

function factsOf({ places, workspace, openPaths }: Around): ProtectionFacts {
  const named = Object.values(places);
  const ownDirs = [...new Set([...named, ...named.map(resolveExisting)])];
  return { ownDirs, home: resolveExisting(homedir()), workspace, openPaths };
}

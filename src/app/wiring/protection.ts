import { homedir } from 'node:os';
import type { Settings } from '../../config/settings.ts';
import { isGitConfig } from '../../policy/protected/git-config.ts';
import {
  isClosedToProcesses,
  isProtectedPath,
  type ProtectionFacts,
} from '../../policy/protected/protected-paths.ts';
import { resolveExisting } from '../../tools/files/paths.ts';

type ProtectionSettings = Pick<Settings, 'places' | 'workspace' | 'openPaths'>;

const protectionBy = (isClosed: typeof isProtectedPath) => (settings: ProtectionSettings) => {
  const facts = factsOf(settings);
  return (path: string, access: 'read' | 'write'): boolean => isClosed(path, access, facts);
};

/** Paths that no tool may touch. Paths must be resolved; the home and Capstan's folders are also matched behind links. */
export const protectionFor = protectionBy(isProtectedPath);

/** Paths that no process of a tool may touch, resolved likewise. */
export const processProtectionFor = protectionBy(isClosedToProcesses);

/** Files that tools see without the credentials in them. */
export const gitConfigsOf =
  (settings: ProtectionSettings) =>
  (path: string): boolean =>
    isGitConfig(path, settings);

function factsOf({ places, workspace, openPaths }: ProtectionSettings): ProtectionFacts {
  const named = Object.values(places);
  const ownDirs = [...new Set([...named, ...named.map(resolveExisting)])];
  return { ownDirs, home: resolveExisting(homedir()), workspace, openPaths };
}

import { join } from 'node:path';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import type { Places } from '../settings.ts';

/**
 * Whether a path in a capsule's folder is a case of its author or a record. No run executes it: the capsule's process does
 * not see it, and it is in no hash that a person approves.
 */
export const isCasePath = (path: string): boolean => /^cases(\/|$)/.test(path);

/** The folder of the user's own capsules, and of memory and logs of these and of shipped ones. */
export const agentsFolder = ({ dataDir }: Pick<Places, 'dataDir'>): string =>
  join(dataDir, 'agents');

/** The folder for memory and logs of a project's capsules. @param workspace Absolute, symbolic links resolved. */
export function projectAgentsFolder({ dataDir }: Pick<Places, 'dataDir'>, workspace: string) {
  const project = sha256(workspace).slice(0, 16);
  return join(dataDir, 'projects', project, 'agents');
}

/** The folder for memory and logs of one capsule. @param workspace Absolute, symbolic links resolved. */
export const capsuleHome = (
  places: Pick<Places, 'dataDir'>,
  workspace: string,
  { id, origin }: { readonly id: string; readonly origin: string },
): string =>
  join(origin === 'project' ? projectAgentsFolder(places, workspace) : agentsFolder(places), id);

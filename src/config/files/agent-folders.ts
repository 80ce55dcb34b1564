import { join } from 'node:path';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import type { Places } from '../settings.ts';

/** Whether a path in a capsule's folder is the folder of its author's cases, or in it. A sandboxed process does not see it. */
export const isCasePath = (path: string): boolean => /^cases(\/|$)/.test(path);

/** The endings of cases, records and their input files. Node runs a file without an ending as a program. */
const data =
  /\.(?:ya?ml|jsonl?|ndjson|txt|md|log|csv|tsv|db|sqlite3?|html?|xml|eml|ics|toml|ini|diff|patch|pdf|docx|xlsx|parquet|png|jpe?g|gif|webp|zip|gz)$/i;

/**
 * Whether a file of a capsule is data of a case, which no run uses: it is in no hash that a person approves. Other files in
 * `cases/` are, since a program without a sandbox may load them.
 */
export const isCaseData = (path: string): boolean =>
  isCasePath(path) && data.test(path) && !/\/package\.json$/i.test(path);

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

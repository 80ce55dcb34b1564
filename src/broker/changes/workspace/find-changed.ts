import { isInside } from '../../../platform/files/inside.ts';
import { ABSENT, type InspectedFile, inspectFile } from '../../../tools/files/path-state.ts';
import type { GapReason } from '../change-rows.ts';
import type { FileBefore } from '../file-change.ts';
import {
  compareSnapshots,
  isOddName,
  type Snapshot,
  type SnapshotOptions,
  takeSnapshot,
} from './workspace-snapshot.ts';

/** A file that a command changed without naming it. */
export interface FoundChange {
  readonly before: FileBefore;
  readonly seen: InspectedFile;
}

const MAX_CHANGES = 5_000;

/** Changed content is read up to this many bytes; further files are compared by size and time. */
const MAX_READ_BYTES = 256 * 1024 * 1024;

/**
 * Compares the workspace with its snapshot. `gap` is why changes are missing; undefined if the list is complete.
 *
 * @param start `missing`: paths that the command named and that did not exist.
 * @param isLookedAt False for paths to skip.
 */
export async function findChanged(
  { snapshot, missing }: { readonly snapshot: Snapshot; readonly missing: readonly string[] },
  workspace: SnapshotOptions,
  isLookedAt: (path: string) => boolean,
): Promise<{ readonly changes: readonly FoundChange[]; readonly gap: GapReason | undefined }> {
  const { changed, created, isWhole } = compareSnapshots(snapshot, await takeSnapshot(workspace));
  const appeared = [...new Set([...created, ...missing])];
  const isNamed = (path: string) => missing.some((named) => isInside(named, path));
  const candidates = [
    ...changed.map((path) => ({ path, state: 'unknown', problem: 'not_kept' as const })),
    ...appeared.map((path) => {
      const problem = isNamed(path) ? null : ('appeared_during_command' as const);
      return { path, state: ABSENT, problem };
    }),
  ].filter(({ path }) => !isOddName(path) && isLookedAt(path));
  const changes: FoundChange[] = [];
  let readBytes = 0;
  for (const { path, state, problem } of candidates.slice(0, MAX_CHANGES)) {
    const like = readBytes > MAX_READ_BYTES ? 'stat:' : null;
    const seen = await inspectFile(path, like);
    readBytes += seen.bytes;
    if (seen.state === state || seen.state === 'other') continue;
    const before = {
      path,
      seen: { state, mode: null, bytes: 0 },
      keptBytes: null,
      problem,
      planned: null,
    } as const;
    changes.push({ before, seen });
  }
  const odd = [...changed, ...created].some(isOddName) ? 'name_not_utf8' : undefined;
  const limit = isWhole ? odd : 'too_many_files';
  return { changes, gap: candidates.length > MAX_CHANGES ? 'too_many_changes' : limit };
}

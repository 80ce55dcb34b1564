import { isAbsolute, join, relative } from 'node:path';
import { fileEffectsOf, hadEffect } from '../../broker/intent/record.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { RunRecord } from '../../coordinator/store/runs/run-record.ts';
import { stateAt } from '../../tools/files/path-state.ts';
import type { ForkPoint } from './fork-point.ts';

/** The content of a file after the shared history of a fork. */
export interface ExpectedFile {
  /** Absolute, in the workspace of the fork. */
  readonly path: string;
  /** SHA-256 of its content, or `absent`; null if the journal does not contain it. */
  readonly sha256: string | null;
  readonly subtaskId: string;
}

/**
 * The effects that the workspace of a fork should show for its shared history. `others`: those that can't be checked by the
 * content of a file.
 */
export function expectedEffects(
  { history }: ForkPoint,
  { workspace: from }: Pick<RunRecord, 'workspace'>,
  workspace: string,
) {
  const files = new Map<string, ExpectedFile>();
  const others: IntentRecord[] = [];
  for (const intent of history.filter(hadEffect)) {
    const effects = fileEffectsOf(intent);
    if (effects.length === 0) others.push(intent);
    for (const { path: original, after: sha256 } of effects) {
      const path = movePath(original, from, workspace);
      files.set(path, { path, sha256, subtaskId: intent.subtaskId });
    }
  }
  return { files: [...files.values()], others };
}

/** The path in another workspace. A path outside of the workspace stays the same. */
export function movePath(path: string, from: string, to: string): string {
  const inside = relative(from, path);
  return inside === '..' || inside.startsWith('../') || isAbsolute(inside)
    ? path
    : join(to, inside);
}

/** Hashes the current files: `found` is the SHA-256 of the content now, or `absent`. */
export async function findFiles(files: readonly ExpectedFile[]) {
  const found: (ExpectedFile & { readonly found: string })[] = [];
  for (const file of files) found.push({ ...file, found: await stateAt(file.path) });
  return found;
}

type FoundFile = Awaited<ReturnType<typeof findFiles>>[number];

export const isAsExpected = ({ sha256, found }: FoundFile): boolean =>
  sha256 === null || sha256 === found;

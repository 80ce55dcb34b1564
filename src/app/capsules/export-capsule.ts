import { AppError, messageOf } from '../../contract/errors.ts';
import { packCapsule } from '../../registry/archive/capsule-archive.ts';
import type { AppContext } from '../app-context.ts';
import { findCapsule } from './find-capsule.ts';
import { type CapsuleOptions, loadCapsules } from './load-capsules.ts';

export interface ExportedCapsule {
  readonly id: string;
  /** The archive: JSON, the same for the same files. */
  readonly text: string;
  /** SHA-256 of the paths and hashes of all files. */
  readonly sha256: string;
  /** Number of files. */
  readonly files: number;
}

/**
 * Packs a capsule into one text, without its memory and logs.
 *
 * @throws AppError `CAPSULE_UNKNOWN`; `USAGE` if a file can't be exported, or all together are too large.
 */
export async function exportCapsule(
  context: AppContext,
  id: string,
  options: CapsuleOptions,
): Promise<ExportedCapsule> {
  const capsule = findCapsule(await loadCapsules(context, options), id);
  try {
    return { id, ...packCapsule(capsule) };
  } catch (error) {
    const problem = `"${id}" can't be exported: ${messageOf(error)}`;
    throw new AppError('USAGE', { problem }, { cause: error });
  }
}

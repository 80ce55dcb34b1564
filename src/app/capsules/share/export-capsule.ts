import { AppError, messageOf } from '../../../contract/errors.ts';
import { printable } from '../../../contract/text/printable.ts';
import { packCapsule } from '../../../registry/archive/capsule-archive.ts';
import type { AppContext } from '../../app-context.ts';
import { findAuthored } from '../find-capsule.ts';
import { type CapsuleOptions, loadCapsules } from '../load-capsules.ts';

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
 * Packs a capsule into one text, without its memory, logs and hidden files.
 *
 * @param named Its id, or its folder.
 * @throws AppError `CAPSULE_UNKNOWN`; `USAGE` if a file can't be exported, or all together are too large.
 */
export async function exportCapsule(
  context: AppContext,
  named: string,
  options: CapsuleOptions = {},
): Promise<ExportedCapsule> {
  const loaded = await loadCapsules(context, options);
  try {
    const capsule = findAuthored(loaded, named);
    return { id: capsule.id, ...packCapsule(capsule) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const problem = `"${printable(named)}" can't be exported: ${messageOf(error)}`;
    throw new AppError('USAGE', { problem }, { cause: error });
  }
}

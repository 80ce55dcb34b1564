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

/** `capsules.export`: see there. */
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

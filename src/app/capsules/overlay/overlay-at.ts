import { join } from 'node:path';
import { textInRevision } from '../../../authoring/overlay-revision.ts';
import { AppError } from '../../../contract/errors.ts';
import type { Capsule, Overlay } from '../../../registry/capsule-store.ts';
import type { AppContext } from '../../app-context.ts';
import { storesIfAny } from '../capsule-records.ts';

/**
 * An earlier overlay of a capsule.
 *
 * @param version The first digits of its hash, at least six, if it was used; or a revision of its git repository.
 * @throws AppError `OVERLAY_UNKNOWN`.
 */
export async function overlayAt(
  context: AppContext,
  capsule: Capsule,
  version: string,
): Promise<Overlay> {
  const path = capsule.overlay?.path ?? join(capsule.dir, 'skill.md');
  const stores = await storesIfAny(context);
  const isHash = /^[0-9a-f]{6,64}$/.test(version);
  const used = isHash ? stores?.metrics.overlayOf(capsule, version)?.text : undefined;
  const text = used ?? (await textInRevision(path, version, context.environment));
  if (text !== undefined) return { path: `${path} (${version})`, text };
  const versions = stores?.metrics.versionsOf(capsule) ?? [];
  const known = versions.map((one) => one.version.slice(0, 12));
  throw new AppError('OVERLAY_UNKNOWN', { version, capsule: capsule.id, known });
}

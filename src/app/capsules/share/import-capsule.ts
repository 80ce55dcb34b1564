import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Capsule } from '../../../registry/capsule-store.ts';
import type { AppContext } from '../../app-context.ts';
import { keepSchemas } from '../../wiring/records/keep-schemas.ts';
import { recordNewCapsule } from '../capsule-records.ts';
import { loadCapsules } from '../load-capsules.ts';
import { type ImportOptions, readSource, withUnpacked } from './read-archive.ts';

export interface ConfirmedImport extends ImportOptions {
  /** The `sha256` that `readArchive` returned: the user agreed to these files. */
  readonly sha256: string;
}

/** `capsules.import`: see there. */
export async function importCapsule(
  context: AppContext,
  path: string,
  options: ConfirmedImport,
): Promise<Capsule> {
  const source = readSource(context, path);
  const { archive } = source;
  if (archive.sha256 !== options.sha256)
    throw source.invalid('it changed after you had agreed to it');
  const loaded = await loadCapsules(context, { ...options, onNotice: undefined });
  const { personal, actor } = loaded;
  const stores = await context.stores();
  const capsule = withUnpacked(loaded, { ...source, as: options.as }, (unpacked): Capsule => {
    const dir = join(personal, unpacked.id);
    renameSync(unpacked.dir, dir);
    return { ...unpacked, dir };
  });
  const { id, dir, hash } = capsule;
  stores.journal.commit(() => {
    recordNewCapsule(stores, capsule, actor);
    const detail = { dir, hash, archive: archive.sha256, archived_as: archive.id };
    stores.audit.append({ actor, action: 'capsule.imported', runId: null, ref: id, detail });
  });
  keepSchemas(context.places);
  return capsule;
}

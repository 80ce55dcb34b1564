import { join } from 'node:path';
import { issueLine } from '../../../contract/text/issue-line.ts';
import { printable } from '../../../contract/text/printable.ts';
import { usage } from '../../../contract/usage.ts';
import type { Capsule } from '../../../registry/capsule-store.ts';
import { writeCapsule } from '../../../registry/create/capsule-factory.ts';
import { isReservedId } from '../../../registry/create/capsule-id.ts';
import { Manifest } from '../../../registry/manifest/manifest.ts';
import type { AppContext } from '../../context/open-context.ts';
import { keepSchemas } from '../../wiring/records/keep-schemas.ts';
import { recordNewCapsule } from '../capsule-records.ts';
import { type CapsuleOptions, loadCapsules } from '../load-capsules.ts';
import { type CapsuleProposal, templateDir } from './propose-capsule.ts';

/** Implements `capsules.create`. */
export async function createCapsule(
  context: AppContext,
  proposal: Pick<CapsuleProposal, 'manifest' | 'overlay'>,
  options: CapsuleOptions = {},
): Promise<Capsule> {
  const { manifest, overlay } = validated(context, proposal);
  const loaded = await loadCapsules(context, { ...options, onNotice: undefined });
  const { personal, actor } = loaded;
  const { id } = manifest;
  const holder = loaded.capsules.find((one) => one.id === id && one.origin !== 'personal');
  if (holder || isReservedId(id)) throw usage(`The id "${id}" is taken.`, 'id');
  const stores = await context.stores();
  const draft = { manifest, overlay, templateDir: templateDir(), dir: join(personal, id) };
  const capsule = await writeCapsule(draft);
  keepSchemas(context.places);
  recordNewCapsule(stores, capsule, { by: actor, action: 'capsule.created' });
  return capsule;
}

function validated(
  { redactor }: AppContext,
  proposal: Pick<CapsuleProposal, 'manifest' | 'overlay'>,
): Pick<CapsuleProposal, 'manifest' | 'overlay'> {
  const { manifest, overlay } = redactor.redact(proposal);
  const parsed = Manifest.safeParse(manifest);
  if (parsed.success) return { manifest: parsed.data, overlay };
  throw usage(printable(issueLine(parsed.error)), 'manifest');
}

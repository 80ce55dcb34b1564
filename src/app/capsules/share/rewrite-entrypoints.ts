import { join } from 'node:path';
import type { ShimOutcome } from '../../../registry/manifest/entrypoint-shim.ts';
import type { AppContext } from '../../app-context.ts';
import { storesIfAny } from '../capsule-records.ts';
import { ownIds } from '../find-capsule.ts';
import { type CapsuleOptions, loadCapsules } from '../load-capsules.ts';
import { rewriteShim } from './upgrade-shims.ts';

export interface RewrittenEntrypoint {
  readonly id: string;
  readonly outcome: ShimOutcome;
}

/** `capsules.rewriteEntrypoints`: see there. */
export async function rewriteEntrypoints(
  context: AppContext,
  options: CapsuleOptions = {},
): Promise<readonly RewrittenEntrypoint[]> {
  const { personal, actor: by } = await loadCapsules(context, options);
  const stores = await storesIfAny(context);
  return ownIds(personal).map((id) => ({
    id,
    outcome: rewriteShim(stores, join(personal, id), { by, isForced: true }),
  }));
}

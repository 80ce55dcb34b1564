import type { TrustRow } from '../../../broker/questions/trust-store.ts';
import { AppError } from '../../../contract/errors.ts';
import type { Trust } from '../../../contract/permissions/trust.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { personAt } from '../../calls/assert-actor.ts';
import type { AppContext } from '../../context/open-context.ts';

/** How far a capsule is trusted in one tier. */
export interface TrustLevel extends TrustRow {
  /** The requirements of the next level; null at the highest. */
  readonly next: { readonly level: Trust; readonly approvals: number } | null;
}

export interface ResetTrust {
  /** Default: both tiers. */
  readonly tier?: 1 | 2 | undefined;
  /** The surface that a person resets it at, for the record. */
  readonly by: string;
}

/** `capstan.trust`: how far each capsule is trusted. A capsule and tier without an entry is supervised. */
export interface TrustApi {
  /** @param capsuleId Default: every capsule. @throws AppError `CAPSULE_UNKNOWN`. */
  list(capsuleId?: string): Promise<readonly TrustLevel[]>;
  /**
   * Makes a capsule supervised again and forgets its counts. Returns the number of tiers that had an entry.
   *
   * @throws AppError `CAPSULE_UNKNOWN`; `USAGE` if `by` is not the name of a surface.
   */
  reset(capsuleId: string, options: ResetTrust): Promise<number>;
}

export const trustApi = (context: AppContext): TrustApi => ({
  async list(capsuleId) {
    const { nextLevelOf } = await import('../../../policy/limits/trust.ts');
    const { trust } = await context.stores();
    const rows = trust.list(capsuleId);
    if (rows.length === 0 && capsuleId !== undefined) await assertKnown(context, capsuleId);
    return rows.map((row) => ({ ...row, next: nextLevelOf(row) }));
  },
  async reset(capsuleId, { tier, by }) {
    const options = { actor: personAt(by), ...(tier ? { tier } : {}) };
    const { trust, journal } = await context.stores();
    const count = journal.commit(() => trust.reset(capsuleId, options));
    if (count === 0) await assertKnown(context, capsuleId);
    return count;
  },
});

/** Accepts the user's own capsules even if they are broken. @throws AppError `CAPSULE_UNKNOWN`. */
async function assertKnown(context: AppContext, id: string): Promise<void> {
  const { loadCapsules, ownIds } = await import('../../capsules/load-capsules.ts');
  const { capsules, personal } = await loadCapsules(context, {});
  const known = [...new Set([...capsules.map((one) => one.id), ...ownIds(personal)])];
  if (!known.includes(id)) throw new AppError('CAPSULE_UNKNOWN', { id: escapeText(id), known });
}

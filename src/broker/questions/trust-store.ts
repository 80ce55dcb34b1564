import type { Trust } from '../../contract/trust.ts';
import type { Db } from '../../db/open-database.ts';
import {
  afterApprovedSuccess,
  afterDenial,
  afterFailure,
  afterSuccess,
  NEW_TRUST,
  type TrustState,
  type TrustTier,
} from '../../policy/limits/trust.ts';
import type { Audit } from '../audit/audit.ts';

/** How an intent of tier 1 or 2 affects the trust in its capsule. */
export type TrustEvent = 'approved_success' | 'success' | 'failure' | 'denial';

const steps: Readonly<Record<TrustEvent, (state: TrustState) => TrustState>> = {
  approved_success: afterApprovedSuccess,
  success: afterSuccess,
  failure: afterFailure,
  denial: afterDenial,
};

export interface TrustRow extends TrustState {
  readonly capsuleId: string;
  readonly tier: TrustTier;
  readonly changedAt: string;
}

export interface TrustEntry {
  readonly capsuleId: string;
  readonly tier: TrustTier;
  readonly event: TrustEvent;
  /** The intent, and its run. */
  readonly intentId: string;
  readonly runId: string;
}

/** Trust in each capsule. Survives the deletion of runs. */
export interface TrustStore {
  /** Of tier 1 and 2, for `ToolCallFacts.trust`. */
  levelsOf(capsuleId: string): Readonly<Record<TrustTier, Trust>>;
  /** To be called inside the transaction that ends the intent. Each entry has a line in the audit; a change of level has its own action. */
  note(entry: TrustEntry): void;
  list(capsuleId?: string): readonly TrustRow[];
  /** Back to supervised, without a history. Inside a transaction; `actor` as in the audit. Returns the number of deleted rows. */
  reset(capsuleId: string, options: { readonly actor: string; readonly tier?: TrustTier }): number;
}

export function createTrustStore(
  db: Db,
  audit: Audit,
  now: () => Date = () => new Date(),
): TrustStore {
  const select = `SELECT capsule_id AS capsuleId, tier, level, approved, denied,
    failures_in_a_row AS failuresInARow, changed_at AS changedAt FROM trust`;
  const one = db.prepare<[string, number], TrustRow>(`${select} WHERE capsule_id = ? AND tier = ?`);
  const of = db.prepare<[string], TrustRow>(`${select} WHERE capsule_id = ? ORDER BY tier`);
  const all = db.prepare<[], TrustRow>(`${select} ORDER BY capsule_id, tier`);
  const save = db.prepare(`
    INSERT INTO trust (capsule_id, tier, level, approved, denied, failures_in_a_row, changed_at)
    VALUES (@capsuleId, @tier, @level, @approved, @denied, @failuresInARow, @changedAt)
    ON CONFLICT (capsule_id, tier) DO UPDATE SET level = excluded.level, approved = excluded.approved,
      denied = excluded.denied, failures_in_a_row = excluded.failures_in_a_row, changed_at = excluded.changed_at`);
  const remove = db.prepare<[string, number]>(
    'DELETE FROM trust WHERE capsule_id = ? AND tier = ?',
  );

  return {
    levelsOf(capsuleId) {
      const rows = of.all(capsuleId);
      const levelOf = (tier: TrustTier) =>
        rows.find((row) => row.tier === tier)?.level ?? 'supervised';
      return { 1: levelOf(1), 2: levelOf(2) };
    },
    note({ capsuleId, tier, event, intentId, runId }) {
      const before: TrustState = one.get(capsuleId, tier) ?? NEW_TRUST;
      const after = steps[event](before);
      if (after === before) return;
      save.run({ ...after, capsuleId, tier, changedAt: now().toISOString() });
      const action = after.level === before.level ? 'trust.counted' : 'trust.changed';
      const detail = { tier, from: before.level, to: after.level, event, intent: intentId };
      audit.append({ actor: 'policy', action, runId, ref: capsuleId, detail });
    },
    list: (capsuleId) => (capsuleId === undefined ? all.all() : of.all(capsuleId)),
    reset(capsuleId, { actor, tier }) {
      const known = of.all(capsuleId).filter((row) => tier === undefined || row.tier === tier);
      for (const row of known) {
        remove.run(capsuleId, row.tier);
        const detail = { tier: row.tier, from: row.level, to: 'supervised', event: 'reset' };
        audit.append({ actor, action: 'trust.changed', runId: null, ref: capsuleId, detail });
      }
      return known.length;
    },
  };
}

import type { Trust } from '../../contract/permissions/trust.ts';
import type { Db } from '../../db/open-database.ts';
import { tableOf } from '../../db/sql/table.ts';
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

const steps = {
  approved_success: afterApprovedSuccess,
  success: afterSuccess,
  failure: afterFailure,
  denial: afterDenial,
};

/** How an intent of tier 1 or 2 affects the trust in its capsule. */
export type TrustEvent = keyof typeof steps;

export interface TrustRow extends TrustState {
  readonly capsuleId: string;
  readonly tier: TrustTier;
  readonly changedAt: string;
}

export interface TrustEntry {
  readonly capsuleId: string;
  readonly tier: TrustTier;
  readonly event: TrustEvent;
  readonly intentId: string;
  readonly runId: string;
}

const trust = tableOf(
  'trust',
  'capsule_id tier level approved denied failures_in_a_row changed_at',
);

export type TrustStore = ReturnType<typeof createTrustStore>;

/** Trust in each capsule. Survives the deletion of runs. Each change has a line in the audit. */
export function createTrustStore(db: Db, audit: Audit, now: () => Date) {
  const of = db.prepare<[string], TrustRow>(`${trust.select} WHERE capsule_id = ? ORDER BY tier`);
  const all = db.prepare<[], TrustRow>(`${trust.select} ORDER BY capsule_id, tier`);
  const save = db.prepare<[TrustRow]>(trust.replace);
  const remove = db.prepare<[string, number]>(
    'DELETE FROM trust WHERE capsule_id = ? AND tier = ?',
  );
  const stateIn = (rows: readonly TrustRow[], tier: TrustTier): TrustState =>
    rows.find((row) => row.tier === tier) ?? NEW_TRUST;

  return {
    /** Of tier 1 and 2, for `ToolCallFacts.trust`. */
    levelsOf(capsuleId: string): Readonly<Record<TrustTier, Trust>> {
      const rows = of.all(capsuleId);
      return { 1: stateIn(rows, 1).level, 2: stateIn(rows, 2).level };
    },
    /** To be called inside the transaction that ends the intent. A change of level has its own action in the audit. */
    note({ capsuleId, tier, event, intentId, runId }: TrustEntry): void {
      const before = stateIn(of.all(capsuleId), tier);
      const after = steps[event](before);
      if (after === before) return;
      save.run({ ...after, capsuleId, tier, changedAt: now().toISOString() });
      const action = after.level === before.level ? 'trust.counted' : 'trust.changed';
      const detail = { tier, from: before.level, to: after.level, event, intent: intentId };
      audit.append({ actor: 'policy', action, runId, ref: capsuleId, detail });
    },
    list: (capsuleId?: string): readonly TrustRow[] =>
      capsuleId === undefined ? all.all() : of.all(capsuleId),
    /** Back to supervised, without a history. Inside a transaction; `actor` as in the audit. Returns the number of deleted rows. */
    reset(capsuleId: string, { actor, tier }: { actor: string; tier?: TrustTier }): number {
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

import { type Trust, trustLevels } from '../../contract/permissions/trust.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';

/** The tiers with trust levels: writing, and executing or changing something remote. */
const trustTiers = [1, 2] as const;
export type TrustTier = (typeof trustTiers)[number];

/** The trust in a capsule for one tier. */
export interface TrustState {
  readonly level: Trust;
  /** Intents that a person approved individually and that succeeded, since the level last went down. */
  readonly approved: number;
  readonly denied: number;
  readonly failuresInARow: number;
}

export const NEW_TRUST: TrustState = {
  level: 'supervised',
  approved: 0,
  denied: 0,
  failuresInARow: 0,
};

const NEEDED: Readonly<Record<Trust, number>> = { supervised: 0, sampling: 20, autonomous: 50 };
const MIN_SHARE = 0.95;
const FAILURES_BACK = 3;
const SAMPLE = 10;

/** A person approved this call, and it succeeded: at most one level up. */
export function afterApprovedSuccess(state: TrustState): TrustState {
  const next = { ...state, approved: state.approved + 1, failuresInARow: 0 };
  const above = trustLevels[trustLevels.indexOf(state.level) + 1];
  return above !== undefined && earns(next, above) ? { ...next, level: above } : next;
}

/** A call succeeded without a question: it only resets the failures in a row. */
export const afterSuccess = (state: TrustState): TrustState =>
  state.failuresInARow === 0 ? state : { ...state, failuresInARow: 0 };

/** The third failure in a row is one level down. */
export function afterFailure(state: TrustState): TrustState {
  const failuresInARow = state.failuresInARow + 1;
  return failuresInARow < FAILURES_BACK ? { ...state, failuresInARow } : oneBack(state);
}

/** A denial by a person: one level down immediately. */
export const afterDenial = (state: TrustState): TrustState =>
  oneBack({ ...state, denied: state.denied + 1 });

/** Counting continues from the requirement of the lower level, so that the lost level must be earned again. */
function oneBack({ level, approved, denied }: TrustState): TrustState {
  const below = trustLevels[trustLevels.indexOf(level) - 1] ?? 'supervised';
  const kept = level === 'supervised' ? approved : Math.min(approved, NEEDED[below]);
  return { level: below, approved: kept, denied, failuresInARow: 0 };
}

const earns = ({ approved, denied }: TrustState, level: Trust): boolean =>
  approved >= NEEDED[level] && approved / (approved + denied) >= MIN_SHARE;

/** The sample of one in ten: the same call of a run always gets the same result. `ordinal` counts the equal calls before it. */
export function isSampled(seed: string, requestHash: string, ordinal: number): boolean {
  const digest = sha256(JSON.stringify([seed, requestHash, ordinal]));
  return Number.parseInt(digest.slice(0, 8), 16) % SAMPLE === 0;
}

/** The next level of a tier, and how many more approved intents must succeed for it. Null at the highest level. */
export function nextLevelOf({ level, approved, denied }: TrustState) {
  const above = trustLevels[trustLevels.indexOf(level) + 1];
  if (above === undefined) return null;
  const needed = Math.max(NEEDED[above], Math.ceil((denied * MIN_SHARE) / (1 - MIN_SHARE) - 1e-9));
  return { level: above, approvals: Math.max(1, needed - approved) };
}

/** The tier for which an intent counts; undefined if it only reads or spends. */
export const trustTierOf = (tiers: readonly number[]): TrustTier | undefined =>
  trustTiers.findLast((tier) => tiers.includes(tier));

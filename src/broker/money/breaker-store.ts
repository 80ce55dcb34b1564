import type { Db } from '../../db/open-database.ts';
import { tableOf } from '../../db/sql/table.ts';
import { oncePer } from '../../platform/once.ts';
import {
  afterFailure,
  type Breaker,
  type BreakerLimits,
  type BreakerState,
  breakerStateAt,
  CLOSED,
} from '../../policy/limits/breaker.ts';

export interface BreakerKey {
  readonly provider: string;
  readonly model: string;
}

export interface BreakerRow extends BreakerKey {
  readonly failures: number;
  /** ISO 8601; null: it is closed. */
  readonly openedAt: string | null;
  readonly probeUntil: string | null;
  readonly lastProblem: string | null;
}

const breakers = tableOf('breakers', 'provider model failures opened_at probe_until last_problem');
const ONE = 'provider = @provider AND model = @model';

const statementsOf = oncePer((db: Db) => ({
  one: db.prepare<[BreakerKey], BreakerRow>(`${breakers.select} WHERE ${ONE}`),
  all: db.prepare<[], BreakerRow>(`${breakers.select} ORDER BY provider, model`),
  put: db.prepare<[BreakerRow]>(breakers.replace),
  claim: db.prepare(`
    UPDATE breakers SET probe_until = @until
    WHERE ${ONE} AND opened_at = @openedAt AND (probe_until IS NULL OR probe_until <= @now)`),
  giveBack: db.prepare(`UPDATE breakers SET probe_until = NULL WHERE ${ONE}`),
  remove: db.prepare<[BreakerKey]>(`DELETE FROM breakers WHERE ${ONE}`),
}));

export type BreakerStore = ReturnType<typeof createBreakerStore>;

/** The failures of each model of each provider, for all processes. To be written inside the journal's transactions. */
export function createBreakerStore(db: Db, limits: BreakerLimits, now: () => Date) {
  const { one, all, put, claim, giveBack, remove } = statementsOf(db);
  const stateOf = (row: BreakerRow | undefined): BreakerState =>
    breakerStateAt(breakerOf(row), now().getTime(), limits);

  return {
    stateOf: (key: BreakerKey) => stateOf(one.get(key)),
    /** Whether no failure is counted. */
    isClean: (key: BreakerKey) => one.get(key) === undefined,
    /** Takes the one probe of a half-open breaker: true for one process only, until it ends or `leaseMs` have passed. */
    claimProbe(key: BreakerKey, leaseMs: number): boolean {
      const row = one.get(key);
      if (stateOf(row).kind !== 'half_open') return false;
      const until = new Date(now().getTime() + leaseMs).toISOString();
      return claim.run({ ...row, until, now: now().toISOString() }).changes === 1;
    },
    /** Returns the probe: its result says nothing about the provider. */
    returnProbe: (key: BreakerKey) => void giveBack.run(key),
    /** Counts a technical failure; true if it opened the breaker, or opened it again. */
    fail(
      { provider, model }: BreakerKey,
      { isProbe, problem }: { readonly isProbe: boolean; readonly problem: string },
    ): boolean {
      const breaker = breakerOf(one.get({ provider, model }));
      const after = afterFailure(breaker, { isProbe, nowMs: now().getTime(), limits });
      put.run({
        provider,
        model,
        failures: after.failures,
        openedAt: textOf(after.openedAtMs),
        probeUntil: textOf(after.probeUntilMs),
        lastProblem: problem.slice(0, MAX_PROBLEM),
      });
      return after.openedAtMs !== undefined && after.openedAtMs !== breaker.openedAtMs;
    },
    /** Resets the count; true if the breaker was open. */
    succeed(key: BreakerKey): boolean {
      const wasOpen = one.get(key)?.openedAt != null;
      remove.run(key);
      return wasOpen;
    },
    list: () => all.all().map((row) => ({ ...row, state: stateOf(row) })),
    /** Closes those of a provider, or the one of its model. */
    reset(provider: string, model?: string): readonly BreakerRow[] {
      const found = all
        .all()
        .filter((row) => row.provider === provider && (model === undefined || row.model === model));
      for (const row of found) remove.run(row);
      return found;
    },
  };
}

const MAX_PROBLEM = 500;

const breakerOf = (row: BreakerRow | undefined): Breaker =>
  row
    ? { failures: row.failures, openedAtMs: msOf(row.openedAt), probeUntilMs: msOf(row.probeUntil) }
    : CLOSED;

const msOf = (text: string | null) => (text === null ? undefined : Date.parse(text));
const textOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());

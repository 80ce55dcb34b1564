import type { Db } from '../../db/open-database.ts';
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
  /** The last failure, in a sentence. */
  readonly lastProblem: string | null;
}

/** Methods that write are to be called inside the journal's transactions. */
export interface BreakerStore {
  stateOf(key: BreakerKey): BreakerState;
  /** Whether no failure is counted. */
  isClean(key: BreakerKey): boolean;
  /** Takes the one probe of a half-open breaker: true for one process only, until it ends or `leaseMs` have passed. */
  claimProbe(key: BreakerKey, leaseMs: number): boolean;
  /** Returns the probe: its result says nothing about the provider. */
  returnProbe(key: BreakerKey): void;
  /** Counts a technical failure; true if it opened the breaker, or opened it again. */
  fail(key: BreakerKey, failure: { readonly isProbe: boolean; readonly problem: string }): boolean;
  /** Resets the count; true if the breaker was open. */
  succeed(key: BreakerKey): boolean;
  list(): readonly (BreakerRow & { readonly state: BreakerState })[];
  /** Closes those of a provider, or the one of its model. */
  reset(provider: string, model?: string): readonly BreakerRow[];
}

const SELECT = `SELECT provider, model, failures, opened_at AS openedAt, probe_until AS probeUntil,
  last_problem AS lastProblem FROM breakers`;
const ONE = 'provider = @provider AND model = @model';

/** The failures of each model of each provider, shared by all processes. */
export function createBreakerStore(
  db: Db,
  limits: BreakerLimits,
  now: () => Date = () => new Date(),
): BreakerStore {
  const find = db.prepare<[BreakerKey], BreakerRow>(`${SELECT} WHERE ${ONE}`);
  let prepared: ReturnType<typeof prepareRareStatements> | undefined;
  /** Prepared at the first failure: most runs have none. */
  const rare = () => {
    prepared ??= prepareRareStatements(db);
    return prepared;
  };
  const stateOf = (row: BreakerRow | undefined) =>
    breakerStateAt(row ? breakerOf(row) : CLOSED, now().getTime(), limits);

  return {
    stateOf: (key) => stateOf(find.get(pick(key))),
    isClean: (key) => find.get(pick(key)) === undefined,
    claimProbe(key, leaseMs) {
      const row = find.get(pick(key));
      if (!row?.openedAt || stateOf(row).kind !== 'half_open') return false;
      const { openedAt } = row;
      const until = new Date(now().getTime() + leaseMs).toISOString();
      const claimed = rare().claim.run({ ...pick(key), openedAt, until, now: now().toISOString() });
      return claimed.changes === 1;
    },
    returnProbe: (key) => void rare().giveBack.run(pick(key)),
    fail(key, { isProbe, problem }) {
      const before = find.get(pick(key));
      const breaker = before ? breakerOf(before) : CLOSED;
      const after = afterFailure(breaker, { isProbe, nowMs: now().getTime(), limits });
      rare().upsert.run({
        ...pick(key),
        ...rowOf(after),
        lastProblem: problem.slice(0, MAX_PROBLEM),
      });
      return after.openedAtMs !== undefined && after.openedAtMs !== breaker.openedAtMs;
    },
    succeed(key) {
      const wasOpen = find.get(pick(key))?.openedAt != null;
      rare().remove.run(pick(key));
      return wasOpen;
    },
    list: () =>
      rare()
        .all.all()
        .map((row) => ({ ...row, state: stateOf(row) })),
    reset(provider, model) {
      const found = rare()
        .all.all()
        .filter((row) => row.provider === provider && (model === undefined || row.model === model));
      for (const row of found) rare().remove.run(pick(row));
      return found;
    },
  };
}

const prepareRareStatements = (db: Db) => ({
  upsert: db.prepare(`
    INSERT INTO breakers (provider, model, failures, opened_at, probe_until, last_problem)
    VALUES (@provider, @model, @failures, @openedAt, @probeUntil, @lastProblem)
    ON CONFLICT (provider, model) DO UPDATE SET failures = excluded.failures, opened_at = excluded.opened_at,
      probe_until = excluded.probe_until, last_problem = excluded.last_problem`),
  claim: db.prepare(`
    UPDATE breakers SET probe_until = @until
    WHERE ${ONE} AND opened_at = @openedAt AND (probe_until IS NULL OR probe_until <= @now)`),
  giveBack: db.prepare(`UPDATE breakers SET probe_until = NULL WHERE ${ONE}`),
  remove: db.prepare(`DELETE FROM breakers WHERE ${ONE}`),
  all: db.prepare<[], BreakerRow>(`${SELECT} ORDER BY provider, model`),
});

const MAX_PROBLEM = 500;

const pick = ({ provider, model }: BreakerKey): BreakerKey => ({ provider, model });

const breakerOf = ({ failures, openedAt, probeUntil }: BreakerRow): Breaker => ({
  failures,
  openedAtMs: openedAt === null ? undefined : Date.parse(openedAt),
  probeUntilMs: probeUntil === null ? undefined : Date.parse(probeUntil),
});

const textOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());

const rowOf = ({ failures, openedAtMs, probeUntilMs }: Breaker) => ({
  failures,
  openedAt: textOf(openedAtMs),
  probeUntil: textOf(probeUntilMs),
});

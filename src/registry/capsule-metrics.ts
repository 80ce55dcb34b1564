import type { Db } from '../db/open-database.ts';
import { sha256 } from '../platform/text/canonical-hash.ts';
import { type PlacedCapsule, placeOf } from './capsule-place.ts';
import type { Capsule } from './capsule-store.ts';

/** The durations of this many uses are kept for each version, the newest ones. */
const TIMES_KEPT = 1_000;

/** The durations that are listed one by one. */
const LAST_SHOWN = 30;

/** This many versions of each capsule are kept, those used last. */
const VERSIONS_KEPT = 100;

/** One attempt that has ended. */
export interface CapsuleUse {
  readonly capsule: PlacedCapsule & Pick<Capsule, 'overlay'>;
  readonly isCompleted: boolean;
  /** Without the time spent waiting for people. */
  readonly durationMs: number;
  readonly costMicroUsd: number;
}

export interface CapsuleFigures {
  readonly uses: number;
  readonly completed: number;
  /** Nearest rank, of the last 1,000 uses of each version. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly costMicroUsd: number;
  /** ISO 8601, UTC. */
  readonly firstUsedAt: string;
  readonly lastUsedAt: string;
}

export interface VersionFigures extends CapsuleFigures {
  /** SHA-256 of the overlay. */
  readonly version: string;
}

export type CapsuleMetrics = ReturnType<typeof createCapsuleMetrics>;

/** The version under which metrics are kept: SHA-256 of the overlay, or of the empty text if there is none. */
export const overlayVersion = (overlay: Capsule['overlay']): string => sha256(overlay?.text ?? '');

/** Outcomes and durations of capsules, by version of the overlay. Kept when runs are deleted. */
export function createCapsuleMetrics(db: Db, now: () => Date = () => new Date()) {
  const statements = prepareAll(db);
  const keyOf = (capsule: PlacedCapsule): Key => [capsule.id, placeOf(capsule)];
  const timesOf = (key: Key): readonly TimeRow[] => statements.times.all(...key);
  return {
    /** Plain statements, to be called inside the transaction that ends the attempt. */
    note({ capsule, isCompleted, durationMs, costMicroUsd }: CapsuleUse): void {
      const [capsuleId, place] = keyOf(capsule);
      const version = overlayVersion(capsule.overlay);
      const uses = statements.use.get({
        capsuleId,
        place,
        version,
        overlay: capsule.overlay?.text ?? '',
        completed: isCompleted ? 1 : 0,
        costMicroUsd,
        at: now().toISOString(),
      });
      const slot = ((uses ?? 1) - 1) % TIMES_KEPT;
      statements.time.run(capsuleId, place, version, slot, Math.round(durationMs));
      if (uses === 1) statements.dropOld.run({ capsuleId, place, kept: VERSIONS_KEPT });
    },
    /** Undefined if it was never used. */
    of(capsule: PlacedCapsule): CapsuleFigures | undefined {
      const key = keyOf(capsule);
      const sum = statements.sum.get(...key);
      return sum && { ...sum, ...percentilesOf(timesOf(key)) };
    },
    /** Durations of its last 30 uses in milliseconds, oldest first. */
    lastMs: (capsule: PlacedCapsule): readonly number[] =>
      statements.last.all(...keyOf(capsule)).toReversed(),
    /** The version used last comes first. */
    versionsOf(capsule: PlacedCapsule): readonly VersionFigures[] {
      const key = keyOf(capsule);
      const times = timesOf(key);
      return statements.versions.all(...key).map((row) => ({
        ...row,
        ...percentilesOf(times.filter(({ version }) => version === row.version)),
      }));
    },
    /** The overlay of a version that was used; `version` may be its first digits. Undefined if no version or several versions match. */
    overlayOf(capsule: PlacedCapsule, version: string) {
      const found = statements.overlays.all(...keyOf(capsule), version.length, version);
      return found.length === 1 ? found[0] : undefined;
    },
    /** Inside a transaction. */
    forget: (capsule: PlacedCapsule) => void statements.forget.run(...keyOf(capsule)),
  };
}

type Key = readonly [capsuleId: string, place: string];
type VersionRow = Omit<VersionFigures, 'p50Ms' | 'p95Ms'>;
interface TimeRow {
  readonly version: string;
  readonly durationMs: number;
}

/** By nearest rank: the smallest duration that this share of all uses did not exceed. */
function percentilesOf(times: readonly TimeRow[]): Pick<CapsuleFigures, 'p50Ms' | 'p95Ms'> {
  const sorted = times.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  const rank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { p50Ms: rank(0.5), p95Ms: rank(0.95) };
}

const prepareAll = (db: Db) => ({
  use: db
    .prepare<Readonly<Record<string, string | number>>, number>(`
      INSERT INTO capsule_versions (capsule_id, place, version, overlay, uses, completed, cost_micro_usd,
        first_used_at, last_used_at)
      VALUES (@capsuleId, @place, @version, @overlay, 1, @completed, @costMicroUsd, @at, @at)
      ON CONFLICT (capsule_id, place, version) DO UPDATE SET uses = uses + 1, completed = completed + excluded.completed,
        cost_micro_usd = cost_micro_usd + excluded.cost_micro_usd, last_used_at = excluded.last_used_at
      RETURNING uses`)
    .pluck(),
  time: db.prepare<[string, string, string, number, number]>(
    'INSERT OR REPLACE INTO capsule_times (capsule_id, place, version, slot, duration_ms) VALUES (?, ?, ?, ?, ?)',
  ),
  dropOld: db.prepare(`
    DELETE FROM capsule_versions WHERE capsule_id = @capsuleId AND place = @place AND version NOT IN (
      SELECT version FROM capsule_versions WHERE capsule_id = @capsuleId AND place = @place
      ORDER BY last_used_at DESC, rowid DESC LIMIT @kept)`),
  versions: db.prepare<[string, string], VersionRow>(`
    SELECT version, uses, completed, cost_micro_usd AS costMicroUsd, first_used_at AS firstUsedAt,
      last_used_at AS lastUsedAt
    FROM capsule_versions WHERE capsule_id = ? AND place = ? ORDER BY last_used_at DESC, rowid DESC`),
  sum: db.prepare<[string, string], Omit<CapsuleFigures, 'p50Ms' | 'p95Ms'>>(`
    SELECT sum(uses) AS uses, sum(completed) AS completed, sum(cost_micro_usd) AS costMicroUsd,
      min(first_used_at) AS firstUsedAt, max(last_used_at) AS lastUsedAt
    FROM capsule_versions WHERE capsule_id = ? AND place = ? GROUP BY capsule_id`),
  times: db.prepare<[string, string], TimeRow>(`
    SELECT version, duration_ms AS durationMs FROM capsule_times WHERE capsule_id = ? AND place = ?`),
  // Within a version, the newest slot comes first.
  last: db
    .prepare<[string, string], number>(`
      SELECT duration_ms FROM capsule_times JOIN capsule_versions USING (capsule_id, place, version)
      WHERE capsule_id = ? AND place = ?
      ORDER BY last_used_at DESC, version, (uses - 1 - slot) % ${TIMES_KEPT} LIMIT ${LAST_SHOWN}`)
    .pluck(),
  overlays: db.prepare<[string, string, number, string], { version: string; text: string }>(`
    SELECT version, overlay AS text FROM capsule_versions
    WHERE capsule_id = ? AND place = ? AND substr(version, 1, ?) = ? LIMIT 2`),
  forget: db.prepare<[string, string]>(
    'DELETE FROM capsule_versions WHERE capsule_id = ? AND place = ?',
  ),
});

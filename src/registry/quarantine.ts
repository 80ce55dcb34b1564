import { AppError } from '../contract/errors.ts';
import type { Db } from '../db/open-database.ts';
import type { Redactor } from '../policy/secrets/redact.ts';
import { type PlacedCapsule, placeOf } from './capsule-place.ts';
import type { Capsule } from './capsule-store.ts';

/** A capsule is quarantined after this many technical failures of its own in a row. */
const FAILURES_IN_A_ROW = 3;

/** The actor of a quarantine by rule. */
const RULE = 'policy';

/**
 * Failures that a capsule causes itself, whatever the task: its process ended, hung or broke the protocol, its code threw,
 * or its result is empty. A task that it reports as impossible is not among them.
 */
const ownFailures: ReadonlySet<string> = new Set([
  'CAPSULE_FELL_SILENT',
  'CAPSULE_SPOKE_NONSENSE',
  'CAPSULE_TIMED_OUT',
  'LINE_TOO_LONG',
  'CAPSULE_CRASHED',
  'RESULT_EMPTY',
  'RESULT_INVALID',
  'TASK_KIND_UNKNOWN',
]);

/** The facts about an attempt that the rule considers. */
export interface AttemptEnding {
  readonly isCompleted: boolean;
  /** Null if it completed. */
  readonly code: string | null;
  /** Whether one of its requests was refused or failed. Such an attempt does not count. */
  readonly wasHindered: boolean;
}

/** The failures in a row after an attempt. A completed one resets them; failures of other causes change nothing. */
function failuresAfter(before: number, { isCompleted, code, wasHindered }: AttemptEnding) {
  if (isCompleted) return 0;
  return !wasHindered && ownFailures.has(code ?? '') ? before + 1 : before;
}

export interface Quarantined {
  readonly capsuleId: string;
  readonly reason: string;
  /** `policy`, or `person:<surface>`. */
  readonly heldBy: string;
  /** ISO 8601, UTC. */
  readonly heldAt: string;
  /** SHA-256 of the files that failed. Null for a quarantine by a person, which holds for any files. */
  readonly hash: string | null;
}

type Version = PlacedCapsule & Pick<Capsule, 'hash'>;

interface Entry {
  readonly actor: string;
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

interface Trail {
  append(line: Entry & { readonly runId: string | null; readonly ref: string }): void;
}

export type Quarantine = ReturnType<typeof createQuarantine>;

/** Capsules that may not be chosen until they are restored or, after failures, their files changed. Call all writing functions inside a transaction. */
export function createQuarantine(db: Db, audit: Trail, now: () => Date, redactor: Redactor) {
  const statements = prepareAll(db);
  const keyOf = (capsule: PlacedCapsule) => [capsule.id, placeOf(capsule)] as const;
  const record = (capsule: PlacedCapsule, entry: Entry, runId: string | null = null) => {
    const dir = placeOf(capsule);
    const detail = dir === '' ? entry.detail : { ...entry.detail, dir };
    audit.append({ ...entry, runId, ref: capsule.id, detail });
  };
  // The hash of a shipped capsule is read only if it is needed.
  const isFor = ({ hash }: Pick<Quarantined, 'hash'>, capsule: Version) =>
    hash === null || hash === capsule.hash;
  const find = (capsule: Version): Quarantined | undefined => {
    const held = statements.find.get(...keyOf(capsule));
    return held && isFor(held, capsule) ? held : undefined;
  };
  const forget = (capsule: PlacedCapsule) => {
    statements.lift.run(...keyOf(capsule));
    statements.forget.run(...keyOf(capsule));
  };
  const hold = (
    capsule: Version,
    { actor, runId, ...why }: { reason: string; actor: string; runId?: string },
  ) => {
    const reason = redactor.redact(why.reason);
    const hash = actor === RULE ? capsule.hash : null;
    statements.hold.run(...keyOf(capsule), reason, actor, now().toISOString(), hash);
    record(capsule, { actor, action: 'capsule.quarantined', detail: { reason } }, runId);
  };
  const lift = (
    capsule: Version,
    { because, actor }: Readonly<Record<'because' | 'actor', string>>,
  ): boolean => {
    const held = find(capsule);
    if (!held) return false;
    forget(capsule);
    const detail = { because, reason: held.reason, held_at: held.heldAt };
    record(capsule, { actor, action: 'capsule.restored', detail });
    return true;
  };
  return {
    /** Counts an attempt. @returns The reason, if it quarantines the capsule. */
    note(capsule: Version, ending: AttemptEnding, runId: string): string | undefined {
      const key = keyOf(capsule);
      const row = statements.failures.get(...key);
      const before = row?.hash === capsule.hash ? row.inARow : 0;
      const after = failuresAfter(before, ending);
      if (after === before) return undefined;
      if (after === 0) statements.forget.run(...key);
      else statements.count.run(...key, capsule.hash, after);
      if (after < FAILURES_IN_A_ROW || find(capsule)) return undefined;
      const reason = `${after} technical failures in a row, the last one ${ending.code}`;
      hold(capsule, { reason, actor: RULE, runId });
      return reason;
    },
    hold,
    /** Lifts a quarantine and resets the failures. @returns Whether it was quarantined. */
    lift,
    /** After all cases of a capsule passed: lifts a quarantine by rule; one by a person stays. @param actor Who ran the cases. */
    restoreHealed: (capsule: Version, actor: string) =>
      find(capsule)?.heldBy === RULE &&
      lift(capsule, { because: 'all of its cases passed', actor }),
    find,
    /** Why an earlier version of its files was quarantined, which ended when they changed. */
    reasonBefore(capsule: Version): string | undefined {
      const held = statements.find.get(...keyOf(capsule));
      return held && !isFor(held, capsule) ? held.reason : undefined;
    },
    /** Of these capsules, the ids of those that are quarantined. */
    idsAmong(capsules: readonly Version[]): ReadonlySet<string> {
      const held = new Map(statements.all.all().map((row) => [`${row.id}\0${row.place}`, row]));
      const among = capsules.filter((one) => {
        const row = held.get(keyOf(one).join('\0'));
        return row && isFor(row, one);
      });
      return new Set(among.map(({ id }) => id));
    },
    /** Removes all records of a capsule. */
    forget,
  };
}

/** @throws AppError `CAPSULE_QUARANTINED`. */
export function assertNotQuarantined(capsule: Version, quarantine: Pick<Quarantine, 'find'>) {
  const held = quarantine.find(capsule);
  if (!held) return;
  const { reason, heldAt } = held;
  throw new AppError('CAPSULE_QUARANTINED', { id: capsule.id, reason, since: heldAt });
}

const prepareAll = (db: Db) => ({
  find: db.prepare<[string, string], Quarantined>(`
    SELECT capsule_id AS capsuleId, reason, held_by AS heldBy, held_at AS heldAt, hash
    FROM quarantined_capsules WHERE capsule_id = ? AND place = ?`),
  all: db.prepare<[], { id: string; place: string; hash: string | null }>(
    'SELECT capsule_id AS id, place, hash FROM quarantined_capsules',
  ),
  hold: db.prepare<[string, string, string, string, string, string | null]>(`
    INSERT INTO quarantined_capsules (capsule_id, place, reason, held_by, held_at, hash) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (capsule_id, place) DO UPDATE SET reason = excluded.reason, held_by = excluded.held_by,
      held_at = excluded.held_at, hash = excluded.hash`),
  lift: db.prepare<[string, string]>(
    'DELETE FROM quarantined_capsules WHERE capsule_id = ? AND place = ?',
  ),
  failures: db.prepare<[string, string], { hash: string; inARow: number }>(`
    SELECT hash, in_a_row AS inARow FROM capsule_failures WHERE capsule_id = ? AND place = ?`),
  count: db.prepare<[string, string, string, number]>(`
    INSERT INTO capsule_failures (capsule_id, place, hash, in_a_row) VALUES (?, ?, ?, ?)
    ON CONFLICT (capsule_id, place) DO UPDATE SET hash = excluded.hash, in_a_row = excluded.in_a_row`),
  forget: db.prepare<[string, string]>(
    'DELETE FROM capsule_failures WHERE capsule_id = ? AND place = ?',
  ),
});

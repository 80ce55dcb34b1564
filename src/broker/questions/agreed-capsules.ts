import type { Db } from '../../db/open-database.ts';

/** The files of capsules that a person has agreed to. */
export interface AgreedCapsules {
  /** SHA-256 of the agreed files; undefined if the capsule was never seen. */
  hashOf(capsuleId: string, dir: string): string | undefined;
  /** To be called inside the journal's transactions. `by`: `first_seen`, or who agreed. */
  agree(agreed: {
    readonly capsuleId: string;
    readonly dir: string;
    readonly hash: string;
    readonly by: string;
  }): void;
}

export function createAgreedCapsules(db: Db, now: () => Date = () => new Date()): AgreedCapsules {
  const find = db
    .prepare<[string, string], string>(
      'SELECT hash FROM agreed_capsules WHERE capsule_id = ? AND dir = ?',
    )
    .pluck();
  const upsert = db.prepare(`
    INSERT INTO agreed_capsules (capsule_id, dir, hash, agreed_at, agreed_by)
    VALUES (@capsuleId, @dir, @hash, @at, @by)
    ON CONFLICT (capsule_id, dir) DO UPDATE SET hash = excluded.hash, agreed_at = excluded.agreed_at,
      agreed_by = excluded.agreed_by`);
  return {
    hashOf: (capsuleId, dir) => find.get(capsuleId, dir),
    agree: (agreed) => void upsert.run({ ...agreed, at: now().toISOString() }),
  };
}

import type { Db } from '../../db/open-database.ts';
import type { AgreedFile } from './agreed-file.ts';
import { type AgreedFiles, capsuleOwner, createAgreedFiles } from './agreed-files.ts';

/** The approved files of capsules. */
export interface AgreedCapsules {
  /** SHA-256 of the approved files; undefined if the capsule was never seen. */
  hashOf(capsuleId: string, dir: string): string | undefined;
  /** The approved files; undefined if only their hash is known. */
  filesOf(capsuleId: string, dir: string): readonly AgreedFile[] | undefined;
  /** To be called inside the journal's transactions. `by`: `first_seen`, or the person who approved. */
  agree(agreed: {
    readonly capsuleId: string;
    readonly dir: string;
    readonly hash: string;
    readonly by: string;
    /** The files that have this hash. Omitted if they could not be read. */
    readonly files?: readonly AgreedFile[] | undefined;
  }): void;
}

export function createAgreedCapsules(
  db: Db,
  now: () => Date = () => new Date(),
  texts: AgreedFiles = createAgreedFiles(db),
): AgreedCapsules {
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
    filesOf: (capsuleId, dir) => texts.of(capsuleOwner(capsuleId, dir)),
    agree({ files, ...agreed }) {
      upsert.run({ ...agreed, at: now().toISOString() });
      texts.keep(capsuleOwner(agreed.capsuleId, agreed.dir), files);
    },
  };
}

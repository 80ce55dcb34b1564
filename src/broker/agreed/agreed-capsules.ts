import type { Db } from '../../db/open-database.ts';
import { tableOf } from '../../db/sql/table.ts';
import { type AgreedFile, type AgreedFiles, capsuleOwner } from './agreed-files.ts';

export interface Agreed {
  readonly capsuleId: string;
  readonly dir: string;
  readonly hash: string;
  /** `first_seen`, or the person who approved. */
  readonly by: string;
  /** The files that have this hash. Omitted if they could not be read. */
  readonly files?: readonly AgreedFile[] | undefined;
}

const agreed = tableOf('agreed_capsules', 'capsule_id dir hash agreed_at agreed_by');

/** The approved files of capsules. */
export type AgreedCapsules = ReturnType<typeof createAgreedCapsules>;

export function createAgreedCapsules(db: Db, now: () => Date, texts: AgreedFiles) {
  const find = db
    .prepare<[object], string>(
      `SELECT hash FROM agreed_capsules WHERE capsule_id = @id AND (dir = @dir OR hash = @hash)
      ORDER BY dir <> @dir LIMIT 1`,
    )
    .pluck();
  const put = db.prepare(agreed.replace);
  return {
    /**
     * SHA-256 of the approved files; undefined if the capsule was never seen. Files with this `hash` that were approved in
     * another folder count where none were: Capstan may have been installed elsewhere.
     */
    hashOf: (id: string, dir: string, hash = '') => find.get({ id, dir, hash }),
    /** The approved files; undefined if only their hash is known. */
    filesOf: (capsuleId: string, dir: string) => texts.of(capsuleOwner(capsuleId, dir)),
    /** To be called inside the journal's transactions. */
    agree({ files, by: agreedBy, ...capsule }: Agreed): void {
      put.run({ ...capsule, agreedBy, agreedAt: now().toISOString() });
      texts.keep(capsuleOwner(capsule.capsuleId, capsule.dir), files);
    },
  };
}

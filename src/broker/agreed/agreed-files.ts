import type { Db } from '../../db/open-database.ts';
import { noSecrets, type Redactor } from '../../policy/secrets/redact.ts';
import type { AgreedFile } from './agreed-file.ts';

export const capsuleOwner = (id: string, dir: string): string => `capsule:${id}:${dir}`;
export const projectOwner = (folder: string): string => `project:${folder}`;

const MAX_CHARS = 4 * 1024 * 1024;

/** The texts of approved files, so that a later change can be shown. */
export type AgreedFiles = ReturnType<typeof createAgreedFiles>;

/** Plain statements, without a transaction. */
export function createAgreedFiles(db: Db, { holdsSecret }: Redactor = noSecrets) {
  const find = db
    .prepare<[string], string>('SELECT files FROM agreed_files WHERE owner = ?')
    .pluck();
  const remove = db.prepare('DELETE FROM agreed_files WHERE owner = ?');
  const put = db.prepare('INSERT OR REPLACE INTO agreed_files (owner, files) VALUES (?, ?)');
  return {
    /** Undefined if they are not known. */
    of(owner: string): readonly AgreedFile[] | undefined {
      const files = find.get(owner);
      return files === undefined ? undefined : (JSON.parse(files) as AgreedFile[]);
    },
    /**
     * Replaces the files of an owner. Stores at most 4 MiB of text, and no text that contains a known secret.
     *
     * @param files Undefined: they are not known.
     */
    keep(owner: string, files: readonly AgreedFile[] | undefined): void {
      if (files === undefined) return void remove.run(owner);
      let left = MAX_CHARS;
      const kept = files.map((file): AgreedFile => {
        const chars = file.text?.length ?? 0;
        if (chars > left) return { ...file, text: null, problem: 'too_large' };
        if (holdsSecret(file.text)) return { ...file, text: null, problem: 'secret' };
        left -= chars;
        return file;
      });
      put.run(owner, JSON.stringify(kept));
    },
  };
}

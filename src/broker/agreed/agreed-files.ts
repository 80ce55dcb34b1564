import type { Db } from '../../db/open-database.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import { textOf } from '../../platform/text/text-diff.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';

/** A file as a person approved it. */
export interface AgreedFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly sha256: string;
  readonly text: string | null;
  /** The reason why `text` is null. `not_kept`: only the hash was stored. */
  readonly problem: 'binary' | 'too_large' | 'secret' | 'not_kept' | null;
}

/** The text of a larger file is not stored. */
const MAX_TEXT_BYTES = 256 * 1024;

/** @param content Its hash is computed. */
export function agreedFile(path: string, content: Buffer): AgreedFile {
  const isLarge = content.length > MAX_TEXT_BYTES;
  const text = isLarge ? null : (textOf(content) ?? null);
  const problem = isLarge ? 'too_large' : 'binary';
  return { path, sha256: sha256(content), text, problem: text === null ? problem : null };
}

export const capsuleOwner = (id: string, dir: string): string => `capsule:${id}:${dir}`;
export const projectOwner = (folder: string): string => `project:${folder}`;

const MAX_CHARS = 4 * 1024 * 1024;

/** The texts of approved files, so that a later change can be shown. */
export type AgreedFiles = ReturnType<typeof createAgreedFiles>;

/** Plain statements, without a transaction. */
export function createAgreedFiles(db: Db, { holdsSecret }: Redactor) {
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
    /** Replaces the files of an owner; undefined: not known. Stores at most 4 MiB of text, and no text with a known secret. */
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

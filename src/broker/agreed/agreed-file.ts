import { sha256 } from '../../platform/text/canonical-hash.ts';
import { textOf } from '../../platform/text/text-diff.ts';

/** A file as a person approved it. */
export interface AgreedFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly sha256: string;
  readonly text: string | null;
  /** Why there is no text. `not_kept`: only the hash is known. */
  readonly problem: 'binary' | 'too_large' | 'secret' | 'not_kept' | null;
}

/** The text of a larger file is not stored. */
const MAX_TEXT_BYTES = 256 * 1024;

/** @param content Its hash is computed. */
export function agreedFile(path: string, content: Buffer): AgreedFile {
  const hash = sha256(content);
  if (content.length > MAX_TEXT_BYTES)
    return { path, sha256: hash, text: null, problem: 'too_large' };
  const text = textOf(content) ?? null;
  return { path, sha256: hash, text, problem: text === null ? 'binary' : null };
}

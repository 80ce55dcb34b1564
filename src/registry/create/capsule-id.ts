import { sha256 } from '../../platform/text/canonical-hash.ts';
import { toLatin } from './latin-letters.ts';

const MAX_LENGTH = 48;

/**
 * A readable id: the name in lower-case Latin words. If a part of the name can't be transliterated, a short hash of the
 * name is added to the rest, or to `otherwise`, so that different names get different ids.
 *
 * @param otherwise Used if no part of the name is readable: lower-case words joined by hyphens. Default: `capsule`.
 */
export function toCapsuleId(name: string, otherwise = 'capsule'): string {
  const written = toLatin(name);
  const words = written.match(/[a-z0-9]+/g) ?? [];
  const isSpeaking = !/[^\p{Script=Latin}\p{Script=Common}]/u.test(written) && words.length > 0;
  if (isSpeaking) return startingWithLetter(cut(words));
  const rest = cut(words.filter((word) => word.length >= 3));
  const hash = sha256(name.normalize('NFC')).slice(0, 8);
  return `${startingWithLetter(rest || otherwise)}-${hash}`;
}

const cut = (words: readonly string[]): string =>
  words.join('-').slice(0, MAX_LENGTH).replace(/-+$/, '');

const startingWithLetter = (id: string): string => (/^[a-z]/.test(id) ? id : `capsule-${id}`);

/** `id`, or `id` with the first free number after it. */
export function firstFree(id: string, isTaken: (id: string) => boolean): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? id : `${id}-${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}

/** Reserved ids: the coordinator's own calls, and the folder of skills. */
const reserved = new Set(['coordinator', 'skills']);

export const isReservedId = (id: string): boolean => reserved.has(id);

import { createHash } from 'node:crypto';
import { toLatin } from './latin-letters.ts';

const MAX_LENGTH = 48;

/**
 * An id that speaks: the name in lower-case Latin words. Where a part of it is in a script that can't be written so, what
 * remains of it, or `otherwise`, gets a short hash of the name, so that two such names never become one.
 *
 * @param otherwise What speaks where the name does not: lower-case words joined by hyphens. Default: `capsule`.
 */
export function toCapsuleId(name: string, otherwise = 'capsule'): string {
  const written = toLatin(name);
  const words = written.match(/[a-z0-9]+/g) ?? [];
  const isSpeaking = !/[^\p{Script=Latin}\p{Script=Common}]/u.test(written) && words.length > 0;
  if (isSpeaking) return startingWithLetter(cut(words));
  const rest = cut(words.filter((word) => word.length >= 3));
  const hash = createHash('sha256').update(name.normalize('NFC')).digest('hex').slice(0, 8);
  return `${startingWithLetter(rest || otherwise)}-${hash}`;
}

const cut = (words: readonly string[]): string =>
  words.join('-').slice(0, MAX_LENGTH).replace(/-+$/, '');

const startingWithLetter = (id: string): string => (/^[a-z]/.test(id) ? id : `capsule-${id}`);

/** `id`, or with the first number after it that nobody has. */
export function firstFree(id: string, isTaken: (id: string) => boolean): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? id : `${id}-${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}

/** Ids that mean something else: the coordinator's own calls, and the folder of skills. */
const reserved = new Set(['coordinator', 'skills']);

export const isReservedId = (id: string): boolean => reserved.has(id);

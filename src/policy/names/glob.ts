import { posix } from 'node:path';
import { compileGlob } from '../../platform/globs/glob.ts';

export type Matches = (text: string) => boolean;

/** A name that no file has: a pattern that matches it matches everything in a folder. */
export const ANY_NAME = '\u0001any/\u0001any.\u0001any';

const MAX_KEPT = 2_000;
const kept = new Map<string, Matches>();

/** Compiles a path pattern once. It matches dotfiles, and a leading `!` has no meaning. */
export function pathGlob(pattern: string, nocase = false): Matches {
  const key = `${nocase ? 'i' : 'c'}${pattern}`;
  const known = kept.get(key);
  if (known) return known;
  const glob = posix.normalize(pattern);
  const matches: Matches = glob === '**' ? () => true : compileGlob(glob, nocase);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, matches);
  return matches;
}

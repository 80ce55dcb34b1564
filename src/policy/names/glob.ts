import { posix } from 'node:path';
import { compileGlob } from '../../platform/globs/glob.ts';
import { nameGlobProblem } from '../../platform/globs/glob-tokens.ts';

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

/**
 * Compiles the name patterns of a rule, one of which has to match. A pattern with more than one reading gets the stricter
 * one: in an allow it matches nothing, in a deny or an ask every name with the same beginning.
 *
 * @param isWide True for a deny or an ask, which ignore case.
 */
export function nameGlob(patterns: readonly string[], isWide: boolean): Matches {
  const all = patterns
    .filter((pattern) => isWide || nameGlobProblem(pattern) === undefined)
    .map((pattern) =>
      compileGlob(nameGlobProblem(pattern) === undefined ? pattern : startOf(pattern), isWide),
    );
  return (name) => all.some((matches) => matches(name));
}

/** The part of a pattern before its first wildcard, with any rest. */
export const startOf = (pattern: string): string => pattern.replace(/[*?{[].*$/s, '*');

import { compileGlob } from '../../platform/globs/glob.ts';
import { nameGlobProblem } from '../../platform/globs/name-glob-problem.ts';
import type { Matches } from './glob.ts';

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

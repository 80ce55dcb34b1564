import { printable } from '../../contract/text/printable.ts';
import { compileGlob } from '../../platform/glob.ts';
import { nameGlobProblem } from '../../platform/name-glob-problem.ts';
import type { RuleText } from '../rules/rules-schema.ts';
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

/** Warns about each name pattern with more than one reading. One sentence each. */
export const unclearNames = (
  rules: readonly Pick<RuleText, 'id' | 'answer' | 'when' | 'where'>[],
): readonly string[] =>
  rules.flatMap(({ id, answer, when, where }) =>
    (['tool', 'operation', 'capsule'] as const).flatMap((field) =>
      (when[field] ?? []).flatMap((pattern) => {
        const problem = nameGlobProblem(pattern);
        if (problem === undefined) return [];
        const read =
          answer === 'allow' ? 'it allows nothing' : `it is read as "${startOf(pattern)}"`;
        return [
          `${where} rule "${id}": ${field} "${printable(pattern, 100)}" has more than one reading, so ${read}. To mean something else, ${problem}.`,
        ];
      }),
    ),
  );

const startOf = (pattern: string): string => pattern.replace(/[*?{[].*$/s, '*');

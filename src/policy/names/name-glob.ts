import { printable } from '../../contract/text/printable.ts';
import { compileGlob } from '../../platform/glob.ts';
import { nameGlobProblem } from '../../platform/name-glob-problem.ts';
import type { RuleText } from '../rules/rules-schema.ts';
import type { Matches } from './glob.ts';

/**
 * Compiles name patterns of a rule: any of them is enough. A pattern that has more than one reading is read the stricter
 * way: an allow matches nothing by it, a deny or an ask every name that begins like it.
 *
 * @param isWide True for a deny or an ask, which ignore upper and lower case.
 */
export function nameGlob(patterns: readonly string[], isWide: boolean): Matches {
  const all = patterns
    .filter((pattern) => isWide || nameGlobProblem(pattern) === undefined)
    .map((pattern) =>
      compileGlob(nameGlobProblem(pattern) === undefined ? pattern : startOf(pattern), isWide),
    );
  return (name) => all.some((matches) => matches(name));
}

/** Warns of each name pattern of a rule that is read the stricter way. One sentence each. */
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

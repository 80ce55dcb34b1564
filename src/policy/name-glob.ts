import { printable } from '../contract/text/printable.ts';
import { compileGlob } from '../platform/glob.ts';
import { globProblem } from '../platform/glob-tokens.ts';
import type { Matches } from './glob.ts';
import type { RuleText } from './rules-schema.ts';

/**
 * Compiles name patterns of a rule: any of them is enough. A pattern that has more than one reading is read the stricter
 * way: an allow matches nothing by it, a deny or an ask every name that begins like it.
 *
 * @param isWide True for a deny or an ask, which ignore upper and lower case.
 */
export function nameGlob(patterns: readonly string[], isWide: boolean): Matches {
  const all = patterns
    .filter((pattern) => isWide || nameProblem(pattern) === undefined)
    .map((pattern) =>
      compileGlob(nameProblem(pattern) === undefined ? pattern : startOf(pattern), isWide),
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
        const problem = nameProblem(pattern);
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

/** What to write instead of a pattern that has more than one reading; undefined for all others. */
function nameProblem(pattern: string): string | undefined {
  if (pattern.includes('***')) return 'write "*" for any rest of a name';
  if (pattern.includes('..')) return 'list the names: "{a,b,c}"';
  if (countOf(pattern, '{') !== countOf(pattern, '}')) return 'close every "{"';
  return globProblem(pattern);
}

const countOf = (text: string, char: string): number => text.split(char).length;

import type { GateMode } from '../../contract/permissions/gate.ts';
import { closest, didYouMean } from '../../contract/text/closest.ts';
import { either } from '../../contract/text/either.ts';
import { printable } from '../../contract/text/printable.ts';
import { nameGlobProblem } from '../../platform/globs/glob-tokens.ts';
import { nameGlob, startOf } from '../names/glob.ts';
import type { RuleText } from './rules-schema.ts';

type Rule = Pick<RuleText, 'id' | 'answer' | 'when' | 'where'>;

/** Warns about each name pattern with more than one reading. One sentence each. */
export const unclearNames = (rules: readonly Rule[]): readonly string[] =>
  rules.flatMap(({ id, answer, when, where }) =>
    (['tool', 'operation', 'capsule'] as const).flatMap((field) =>
      (when[field] ?? []).flatMap((pattern) => {
        const problem = nameGlobProblem(pattern);
        if (problem === undefined) return [];
        const read =
          answer === 'allow' ? 'it allows nothing' : `it is read as "${startOf(pattern)}"`;
        return [
          `${where} rule "${id}": ${field} "${printable(pattern, 100)}" is ambiguous, so ${read}. To mean something else, ${problem}.`,
        ];
      }),
    ),
  );

/**
 * The capsules in rules that do not exist, so that a rule may match nothing: one sentence each, and whether it is probably a
 * misspelled name, not one of another project.
 */
export function unknownCapsules(rules: readonly Rule[], known: () => readonly string[]) {
  const named = rules.flatMap(({ id, where, when, answer }) =>
    (when.capsule ?? [])
      .filter((name) => !/[*?{[]/.test(name))
      .map((name) => ({
        name,
        isKnown: nameGlob([name], answer !== 'allow'),
        rule: `${where} rule "${id}"`,
      })),
  );
  if (named.length === 0) return [];
  const ids = ['coordinator', ...known()];
  return named
    .filter(({ isKnown }) => !ids.some(isKnown))
    .map(({ name, rule }) => ({
      problem: `${rule}: there is no capsule "${printable(name, 100)}", so the name matches nothing. ${didYouMean(name, ids)}`,
      isMisspelled: closest(name, ids) !== undefined,
    }));
}

/** Warns about each `allow` whose `argv` ends with `**`, or begins with any program. One sentence for the patterns of each kind. */
export const openOptions = (rules: readonly Rule[]): readonly string[] => [
  ...aboutAllowed(
    rules,
    /(?:^|\s)\*\*$/,
    (shown) =>
      `${shown} allows every option of the program, also one that runs another program or writes a file. Write the intended words, with "*" for one word that is no option.`,
  ),
  ...aboutAllowed(
    rules,
    /^\*(?:\s|$)/,
    (shown) =>
      `${shown} allows every program, also one of the workspace, such as "./x". Name the program.`,
  ),
];

function aboutAllowed(
  rules: readonly Rule[],
  named: RegExp,
  sentence: (shown: string) => string,
): readonly string[] {
  return rules.flatMap(({ id, answer, when, where }) => {
    const patterns = (when.argv ?? []).filter((pattern) => named.test(pattern.trim()));
    if (answer !== 'allow' || patterns.length === 0) return [];
    const shown = printable(patterns.map((pattern) => `"${pattern}"`).join(', '), 200);
    return [`${where} rule "${id}": ${sentence(shown)}`];
  });
}

/**
 * Warns about each `deny` of a path that a command can open without naming it, with what protects the path. One sentence each.
 *
 * @param tools The tools that run programs, which can open files that the call does not name.
 * @param executeGate There are no warnings if it asks about every command or denies it.
 */
export function pathsOfCommands(
  rules: readonly Rule[],
  tools: readonly string[],
  executeGate: GateMode,
): readonly string[] {
  const open = tools.filter((tool) => !rules.some((rule) => coversEveryCall(rule, tool)));
  if (open.length === 0 || executeGate === 'ask' || executeGate === 'deny') return [];
  return rules.flatMap(({ id, answer, when, where }) => {
    if (answer !== 'deny' || when.path === undefined) return [];
    const paths = either(when.path.map((path) => `"${printable(path, 100)}"`));
    return [
      `${where} rule "${id}": a program that ${either(open)} runs can still open ${paths} if no word of its command names it, as "python3 -c" does. To prevent that, deny or ask tool: [${open.join(', ')}] in another rule, keep the files outside of the workspace, or give them a name that no sandboxed command can open, such as "*.env" (docs/approvals.md).`,
    ];
  });
}

const coversEveryCall = ({ answer, when }: Rule, tool: string): boolean => {
  const { tool: tools, ...more } = when;
  const isAboutAll = Object.values(more).every((condition) => condition === undefined);
  return answer !== 'allow' && isAboutAll && tools !== undefined && nameGlob(tools, true)(tool);
};

import type * as z from 'zod';
import type { Problem } from '../../config/read/given.ts';
import { unknownField } from '../../config/yaml/issue-words.ts';
import { openYaml } from '../../config/yaml/strict-yaml.ts';
import { printable } from '../../contract/text/printable.ts';
import { tryOr } from '../../platform/try-or.ts';
import type { CapsuleBudgets } from '../limits/capsule-budgets.ts';
import { RulesFile, type RuleText, rulesFields } from './rules-schema.ts';

/** The owner of the rules. A project's rules may only deny or ask. */
export type RulesOrigin = 'person' | 'project';

export interface RulesText {
  /** For people: file and line. */
  readonly file: string;
  readonly origin: RulesOrigin;
  readonly text: string;
}

export interface ParsedRules {
  readonly rules: readonly RuleText[];
  readonly capsuleBudgets: CapsuleBudgets;
  /** All problems. If there are any, no rule is used. */
  readonly problems: readonly Problem[];
}

/** Parses a rules file. Loads the YAML parser, so it is only called if there is a file. */
export async function parseRules(source: RulesText): Promise<ParsedRules> {
  const { file, text } = source;
  const { document, lineOf, broken } = await openYaml(file, text);
  if (broken.length > 0) return failing(broken);
  // An empty file has no rules.
  const value: unknown = tryOr(() => document.toJS({ maxAliasCount: 100 }) ?? {}, undefined);
  if (value === undefined) return failing([{ where: file, problem: TOO_MANY_ALIASES }]);
  const reading: Reading = {
    source,
    value,
    lineOf: (path) => (path.length === 0 ? 1 : (lineOf(path) ?? 1)),
  };
  const parsed = RulesFile.safeParse(value);
  if (!parsed.success)
    return failing(parsed.error.issues.flatMap((issue) => problemsIn(issue, reading)));
  const problems = checkRules(parsed.data, reading);
  return problems.length > 0 ? failing(problems) : build(parsed.data, reading);
}

interface Reading {
  readonly source: RulesText;
  readonly value: unknown;
  lineOf(path: readonly PropertyKey[]): number;
}

const failing = (problems: readonly Problem[]): ParsedRules => ({
  rules: [],
  capsuleBudgets: new Map(),
  problems,
});

const TOO_MANY_ALIASES = 'it contains too many aliases. Write the values themselves.';

/** Problems of the whole file, such as duplicate names. */
function checkRules({ rules }: RulesFile, reading: Reading): Problem[] {
  const seen = new Set<string>();
  return rules.flatMap(({ id, answer, when }, at) => {
    const isKnown = seen.has(id);
    seen.add(id);
    const checks: readonly [field: string, problem: string | false][] = [
      ['id', isKnown && `"${id}" is the id of an earlier rule. Give it another id.`],
      [
        'when',
        Object.keys(when).length === 0 &&
          'it names no condition, so it would match everything. Write tool: "*" if that is intended.',
      ],
      [
        'answer',
        answer === 'allow' &&
          reading.source.origin === 'project' &&
          '"allow": a project may only deny or ask. Write one of these, or move the rule to your own policy.yaml.',
      ],
    ];
    return checks.flatMap(([field, problem]) =>
      problem ? [{ where: placeOf(['rules', at, field], reading), problem }] : [],
    );
  });
}

function build({ rules, budgets }: RulesFile, { source, lineOf }: Reading): ParsedRules {
  const { file, origin } = source;
  const limits = Object.entries(budgets.capsules).map(
    ([id, { run_usd: run, day_usd: day }]) =>
      [
        id,
        {
          ...(run === undefined ? {} : { runMicroUsd: Math.round(run * 1e6) }),
          ...(day === undefined ? {} : { dayMicroUsd: Math.round(day * 1e6) }),
        },
      ] as const,
  );
  return {
    problems: [],
    capsuleBudgets: new Map(limits),
    rules: rules.map(({ match = [], not_match: notMatch = [], ...rule }, at) => ({
      ...rule,
      id: origin === 'project' ? `project:${rule.id}` : rule.id,
      match,
      notMatch,
      where: `${file}:${lineOf(['rules', at])}`,
    })),
  };
}

/** Each issue as a place and a sentence with the value and the fix. */
function problemsIn(issue: z.core.$ZodIssue, reading: Reading): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const { problem, fix } = unknownField(key, rulesFields, 'Remove it, or see docs/policy.md.');
      return { where: placeOf([...issue.path, key], reading), problem: `${problem}. ${fix}` };
    });
  }
  const keys = issue.code === 'invalid_key' ? issue.issues : [issue];
  const value = at(reading.value, issue.path);
  const shown = value === undefined ? 'it is missing' : printable(JSON.stringify(value), 80);
  return keys.map(({ message }) => ({
    where: placeOf(issue.path, reading),
    problem: `${shown}: ${message.replace(/\.$/, '')}.`,
  }));
}

/** `/…/policy.yaml:12 rule "no-keys" when.path`. */
function placeOf(path: readonly PropertyKey[], { source, value, lineOf }: Reading): string {
  const place = `${source.file}:${lineOf(path)}`;
  const [first, index, ...rest] = path;
  if (first !== 'rules' || index === undefined)
    return [place, path.join('.')].filter(Boolean).join(' ');
  const id = at(value, ['rules', index, 'id']);
  const rule = typeof id === 'string' ? `rule "${printable(id, 64)}"` : `rule ${Number(index) + 1}`;
  const field = rest
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${printable(String(part), 64)}`))
    .join('')
    .replace(/^\./, '');
  return [place, rule, field].filter(Boolean).join(' ');
}

/** A list of one may be written as its only value: index 0 then refers to the value itself. */
function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (typeof inner !== 'object' || inner === null) return key === 0 ? inner : undefined;
    return Object.hasOwn(inner, key) ? (inner as Record<PropertyKey, unknown>)[key] : undefined;
  }, value);
}

import type { Problem } from '../../config/read/given.ts';
import { type LineOf, type PlaceOf, parseStrictYaml } from '../../config/yaml/strict-yaml.ts';
import { valueAt } from '../../platform/text/parse-json.ts';
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
  const form = { schema: RulesFile, fields: rulesFields, page: 'docs/policy.md', nameOf };
  const parsed = await parseStrictYaml(source.file, source.text, form);
  if ('problems' in parsed) return failing(parsed.problems);
  const problems = checkRules(parsed.value, parsed.placeOf, source);
  return problems.length > 0 ? failing(problems) : build(parsed.value, parsed.lineOf, source);
}

const failing = (problems: readonly Problem[]): ParsedRules => ({
  rules: [],
  capsuleBudgets: new Map(),
  problems,
});

/** Problems of the whole file, such as duplicate names. */
function checkRules({ rules }: RulesFile, placeOf: PlaceOf, { origin }: RulesText): Problem[] {
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
          origin === 'project' &&
          '"allow": a project may only deny or ask. Write one of these, or move the rule to your own policy.yaml.',
      ],
    ];
    return checks.flatMap(([field, problem]) =>
      problem ? [{ where: placeOf(['rules', at, field]), problem }] : [],
    );
  });
}

function build(
  { rules, budgets }: RulesFile,
  lineOf: LineOf,
  { file, origin }: RulesText,
): ParsedRules {
  const limits = Object.entries(budgets.capsules).map(
    ([id, { run_usd: run, day_usd: day }]) =>
      [id, { runMicroUsd: microUsd(run), dayMicroUsd: microUsd(day) }] as const,
  );
  return {
    problems: [],
    capsuleBudgets: new Map(limits),
    rules: rules.map(({ match = [], not_match: notMatch = [], ...rule }, at) => ({
      ...rule,
      id: origin === 'project' ? `project:${rule.id}` : rule.id,
      match,
      notMatch,
      where: `${file}:${lineOf(['rules', at]) ?? 1}`,
    })),
  };
}

const microUsd = (usd: number | undefined): number | undefined =>
  usd === undefined ? undefined : Math.round(usd * 1e6);

/** `rule "no-keys" when.path`. */
function nameOf([first, index, ...rest]: readonly PropertyKey[], document: unknown): string {
  const isRule = first === 'rules' && index !== undefined;
  const id = isRule ? valueAt(document, [first, index, 'id']) : undefined;
  const rule = typeof id === 'string' ? `rule "${id.slice(0, 64)}"` : `rule ${Number(index) + 1}`;
  const parts = isRule ? rest : [first, index, ...rest].filter((part) => part !== undefined);
  const field = parts
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part).slice(0, 64)}`))
    .join('')
    .replace(/^\./, '');
  return [isRule && rule, field].filter(Boolean).join(' ');
}

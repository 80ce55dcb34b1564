import { resolve } from 'node:path';
import type { Problem } from '../../config/read/given.ts';
import { messageOf } from '../../contract/errors.ts';
import type { Operation } from '../../contract/permissions/operation.ts';
import { didYouMean } from '../../contract/text/closest.ts';
import { printable } from '../../contract/text/printable.ts';
import type { ToolCallFacts } from '../../policy/decide/tool-call-facts.ts';
import { compileRule } from '../../policy/rules/compile-rule.ts';
import type { RuleCall } from '../../policy/rules/rule.ts';
import { ruleCallOf, ruleCallOfChat } from '../../policy/rules/rule-call.ts';
import type { Example, RuleText } from '../../policy/rules/rules-schema.ts';
import type { Tool } from '../../tools/define/tool.ts';

export type Toolbox = ReadonlyMap<string, Pick<Tool, 'prepare' | 'operations'>>;

/** The result of one example of a rule. */
export interface CheckedExample {
  readonly rule: string;
  /** `/…/policy.yaml:12 rule "no-keys" match[0]`. */
  readonly where: string;
  readonly kind: 'match' | 'not_match';
  readonly shown: string;
  readonly problem: string | undefined;
}

/** Prepares every example like a real call, and matches its rule with it. Reads no files. */
export function checkExamples(
  rules: readonly RuleText[],
  tools: Toolbox,
): readonly CheckedExample[] {
  return rules.flatMap((text) => {
    const rule = compileRule(text);
    const check = (kind: CheckedExample['kind'], examples: readonly Example[]) =>
      examples.map((example, at): CheckedExample => {
        const place = `${text.where} rule "${text.id}" ${kind}[${at}]`;
        const shown = printable(JSON.stringify(example), 300);
        const call = callOf(example, tools);
        const problem =
          'problem' in call ? call.problem : verdict(kind, rule.matches(call), text.id);
        return { rule: text.id, where: place, kind, shown, problem };
      });
    return [...check('match', text.match), ...check('not_match', text.notMatch)];
  });
}

function verdict(kind: CheckedExample['kind'], isMatch: boolean, id: string): string | undefined {
  if (isMatch === (kind === 'match')) return undefined;
  return isMatch
    ? `"${id}" matches it. Narrow the rule, or move the example to match.`
    : `"${id}" does not match it. Widen the rule, or move the example to not_match.`;
}

/** Unknown tools and operations in rules: such a rule would never match. */
export function unknownTools(rules: readonly RuleText[], tools: Toolbox): readonly Problem[] {
  const known = [...tools.keys(), 'chat'];
  return rules.flatMap(({ id, where, when }) => {
    const problemsIn = (field: 'tool' | 'operation') =>
      (when[field] ?? []).flatMap((name) => {
        const problem = unknownName(name, known, tools);
        return problem === undefined
          ? []
          : [{ where: `${where} rule "${id}" when.${field}`, problem }];
      });
    return [...problemsIn('tool'), ...problemsIn('operation')];
  });
}

/** The problem of `file_oi` or `file_io.wirte`. A pattern has none. */
function unknownName(name: string, known: readonly string[], tools: Toolbox): string | undefined {
  const [tool = '', operation = '*'] = name.split('.');
  if (isPattern(tool)) return undefined;
  if (!known.includes(tool)) return noTool(tool, known);
  const operations = tools.get(tool)?.operations ?? [];
  return isPattern(operation) || operations.length === 0 || operations.includes(operation)
    ? undefined
    : `${tool} has no operation "${printable(operation)}". ${didYouMean(operation, operations)}`;
}

const isPattern = (name: string): boolean => /[*?{[]/.test(name);

const noTool = (name: string, known: readonly string[]): string =>
  `there is no tool "${printable(name)}". ${didYouMean(name, known)}`;

/** An arbitrary folder: examples are matched by their text. */
const WORKSPACE = '/workspace';

function callOf(example: Example, tools: Toolbox): RuleCall | { readonly problem: string } {
  const { tool: name, capsule: capsuleId = '', args = {}, host, cost_usd: cost } = example;
  const costMicroUsd = cost === undefined ? undefined : cost * 1e6;
  if (name === 'chat') {
    const origin = host === undefined ? undefined : `https://${host}/`;
    return ruleCallOfChat({ capsuleId, origin, costMicroUsd });
  }
  const tool = tools.get(name);
  if (tool === undefined) return { problem: noTool(name, [...tools.keys(), 'chat']) };
  try {
    const { operation } = tool.prepare(args);
    return ruleCallOf(operation, factsOf(operation, capsuleId, costMicroUsd));
  } catch (error) {
    return {
      problem: `it is not a valid call: ${printable(messageOf(error), 300)}. Correct its args.`,
    };
  }
}

const factsOf = (
  { paths }: Operation,
  capsuleId: string,
  costMicroUsd: number | undefined,
): ToolCallFacts => ({
  grant: {},
  workspace: WORKSPACE,
  paths: paths.map(({ path, access }) => ({
    path,
    access,
    realPath: resolve(WORKSPACE, path),
    isProtected: false,
  })),
  namedHosts: new Set(),
  hasReadPrivate: false,
  holdsSecret: false,
  isolation: 'none',
  gates: { write: 'auto', execute: 'auto', spend: 'auto' },
  capsuleId,
  costMicroUsd,
});

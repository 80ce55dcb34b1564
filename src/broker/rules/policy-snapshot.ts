import * as z from 'zod';
import type { RulesSource } from '../../config/files/rules-files.ts';
import type { Problem } from '../../config/read/given.ts';
import type { Settings } from '../../config/settings.ts';
import { canonicalHash } from '../../platform/text/canonical-hash.ts';
import { gate } from '../../policy/decide/tool-call-facts.ts';
import { type CapsuleBudgets, tighten } from '../../policy/limits/capsule-budgets.ts';
import { compileRule } from '../../policy/rules/compile-rule.ts';
import type { ParsedRules, RulesText } from '../../policy/rules/parse-rules.ts';
import type { Rule } from '../../policy/rules/rule.ts';
import type { RuleText } from '../../policy/rules/rules-schema.ts';

const Snapshot = z.object({
  version: z.literal(1),
  rules: z.array(
    z.object({
      file: z.string(),
      origin: z.enum(['person', 'project']),
      /** Undefined: it could not be read. */
      text: z.string().optional(),
    }),
  ),
  gates: z.object({ create: gate, spend: gate, write: gate, execute: gate }),
  approveMode: z.enum(['ask', 'allow', 'deny']),
  budget: z.object({
    runMicroUsd: z.number(),
    runMicroUsdSetByPerson: z.boolean(),
    dayMicroUsd: z.number(),
    runTokens: z.number().optional(),
  }),
});

/** The rules, gates and budgets at the start of a run, as JSON: the run keeps them even if they change later. */
export type PolicySnapshot = z.input<typeof Snapshot>;

/** The compiled rules. */
export interface Policy {
  /** `unreadable`: nothing is allowed. */
  readonly rules: readonly Rule[] | 'unreadable';
  /** The source of the rules; empty if a file is unreadable. */
  readonly texts: readonly RuleText[];
  readonly capsuleBudgets: CapsuleBudgets;
  readonly gates: Settings['gates'];
  readonly approveMode: Settings['approveMode'];
  readonly budget: Settings['budget'];
  readonly snapshot: PolicySnapshot;
  /** SHA-256, in hexadecimal, of the snapshot without the paths of its files. */
  readonly version: string;
  readonly notices: readonly string[];
}

/** The snapshot of the current rules, gates and budgets. */
export function takeSnapshot(
  sources: readonly RulesSource[],
  { gates, approveMode, budget }: Pick<Settings, 'gates' | 'approveMode' | 'budget'>,
): PolicySnapshot {
  return {
    version: 1,
    rules: sources.map(({ file, origin, ...source }) => ({
      file,
      origin,
      text: 'text' in source ? source.text : undefined,
    })),
    gates,
    approveMode,
    budget,
  };
}

/** SHA-256, in hexadecimal, without the paths of the files. */
export const policyVersionOf = ({ rules, ...rest }: PolicySnapshot): string =>
  canonicalHash({ ...rest, rules: rules.map(({ origin, text }) => [origin, text ?? null]) });

/** The policy of a snapshot, which a resumed run keeps. If its texts have problems, the rules count as unreadable. Throws if it is no snapshot. */
export async function policyOf(
  stored: unknown,
): Promise<{ readonly policy: Policy; readonly problems: readonly Problem[] }> {
  const snapshot = Snapshot.parse(stored);
  const parsed = await Promise.all(
    snapshot.rules.map(({ text, ...source }) =>
      text === undefined ? undefined : parse({ ...source, text }),
    ),
  );
  const problems = parsed.flatMap((one) => one?.problems ?? []);
  const texts = parsed.flatMap((one) => one?.rules ?? []);
  const isUnreadable = problems.length > 0 || parsed.includes(undefined);
  const { gates, approveMode, budget } = snapshot;
  const policy: Policy = {
    rules: isUnreadable ? 'unreadable' : texts.map(compileRule),
    texts: isUnreadable ? [] : texts,
    capsuleBudgets: parsed.reduce<CapsuleBudgets>(
      (tightest, one) => tighten(tightest, one?.capsuleBudgets ?? new Map()),
      new Map(),
    ),
    gates,
    approveMode,
    budget: { ...budget, runTokens: budget.runTokens },
    snapshot,
    version: policyVersionOf(snapshot),
    notices: snapshot.rules.flatMap(({ file, text }) =>
      text === undefined ? [`${file} can't be read, so everything is denied until it can.`] : [],
    ),
  };
  return { policy, problems };
}

/** The schema of rules takes milliseconds to build, and most users have no rules file. */
async function parse(source: RulesText): Promise<ParsedRules> {
  const { parseRules } = await import('../../policy/rules/parse-rules.ts');
  return parseRules(source);
}

import type { SpendFacts } from '../decide/chat-facts.ts';

const OF_CAPSULE = 'budgets.capsules of a rules file';

/** The place where each limit is set. */
const settings = {
  run_budget: 'CAPSTAN_BUDGET_RUN_USD',
  day_budget: 'CAPSTAN_BUDGET_DAY_USD',
  capsule_run_budget: OF_CAPSULE,
  capsule_day_budget: OF_CAPSULE,
} as const;
export type LimitRule = keyof typeof settings;

export const isLimitRule = (rule: string): rule is LimitRule => Object.hasOwn(settings, rule);

export interface SpendLimit {
  readonly rule: LimitRule;
  /** Its name for people: `this run`. */
  readonly what: string;
  readonly setting: string;
  readonly spent: number;
  readonly budget: number;
}

/** The limits of money that are set, the most general first. */
export function limitsOf(facts: Omit<SpendFacts, 'estimateMicroUsd'>): readonly SpendLimit[] {
  const own = facts.capsule;
  const limit = own?.budget;
  const rows: readonly [LimitRule, string, number | undefined, number | undefined][] = [
    ['run_budget', 'this run', facts.runSpentMicroUsd, facts.runBudgetMicroUsd],
    ['day_budget', 'today', facts.daySpentMicroUsd, facts.dayBudgetMicroUsd],
    ['capsule_run_budget', 'this capsule in this run', own?.runSpentMicroUsd, limit?.runMicroUsd],
    ['capsule_day_budget', 'this capsule today', own?.daySpentMicroUsd, limit?.dayMicroUsd],
  ];
  return rows.flatMap(([rule, what, spent = 0, budget]) =>
    budget === undefined ? [] : [{ rule, what, setting: settings[rule], spent, budget }],
  );
}

/** The first limit that the call might exceed; undefined for a free call. */
export function passedLimit(facts: SpendFacts): SpendLimit | undefined {
  const { estimateMicroUsd: adds } = facts;
  if (adds === 0) return undefined;
  // Calls of unknown cost are stopped when the budget is used up.
  return limitsOf(facts).find(({ spent, budget }) =>
    adds === undefined ? spent >= budget : spent + adds > budget,
  );
}

/** Whether the call might exceed the run's limit of tokens. */
export function passesTokens({
  runTokens,
  runTokenBudget,
  estimateTokens = 0,
}: SpendFacts): boolean {
  if (runTokenBudget === undefined) return false;
  return runTokens >= runTokenBudget || runTokens + estimateTokens > runTokenBudget;
}

/** Whether the call is within every limit. */
export const fitsLimits = (facts: SpendFacts): boolean =>
  !passesTokens(facts) && passedLimit(facts) === undefined;

/** The amount by which a limit is raised for the call: a multiple of the limit, or of one dollar if the limit is 0. */
export function raiseOf(
  { spent, budget }: Pick<SpendLimit, 'spent' | 'budget'>,
  { estimateMicroUsd = 0 }: Pick<SpendFacts, 'estimateMicroUsd'>,
): number {
  const step = budget > 0 ? budget : 1_000_000;
  const missing = Math.max(1, spent + estimateMicroUsd - budget);
  return Math.ceil(missing / step) * step;
}

/** `$0.02`, `$1.20`, and `$0.0153` if it is not a whole number of cents. */
export const dollars = (microUsd: number): string =>
  `$${(microUsd / 1_000_000).toFixed(microUsd % 10_000 === 0 ? 2 : 4)}`;

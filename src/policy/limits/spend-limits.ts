import type { SpendFacts } from '../decide/chat-facts.ts';

export type LimitRule = 'run_budget' | 'day_budget' | 'capsule_run_budget' | 'capsule_day_budget';

export interface SpendLimit {
  readonly rule: LimitRule;
  /** Its name for people: `this run`. */
  readonly what: string;
  /** The place where it is set. */
  readonly setting: string;
  readonly spent: number;
  readonly budget: number;
}

/** The limits of money that are set, the most general first. */
export function limitsOf(facts: SpendFacts): readonly SpendLimit[] {
  const { capsule } = facts;
  const rows: readonly (Omit<SpendLimit, 'budget'> & { readonly budget: number | undefined })[] = [
    {
      rule: 'run_budget',
      what: 'this run',
      setting: 'CAPSTAN_BUDGET_RUN_USD',
      spent: facts.runSpentMicroUsd,
      budget: facts.runBudgetMicroUsd,
    },
    {
      rule: 'day_budget',
      what: 'today',
      setting: 'CAPSTAN_BUDGET_DAY_USD',
      spent: facts.daySpentMicroUsd,
      budget: facts.dayBudgetMicroUsd,
    },
    {
      rule: 'capsule_run_budget',
      what: 'this capsule in this run',
      setting: 'budgets.capsules of a rules file',
      spent: capsule?.runSpentMicroUsd ?? 0,
      budget: capsule?.budget.runMicroUsd,
    },
    {
      rule: 'capsule_day_budget',
      what: 'this capsule today',
      setting: 'budgets.capsules of a rules file',
      spent: capsule?.daySpentMicroUsd ?? 0,
      budget: capsule?.budget.dayMicroUsd,
    },
  ];
  return rows.flatMap(({ budget, ...row }) => (budget === undefined ? [] : [{ ...row, budget }]));
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

import type { Explanation } from '../../broker/explain-intent.ts';
import type { Backtest, ChangedDecision } from '../../broker/rules/backtest.ts';
import { lazyApi } from '../calls/lazy-api.ts';
import type { PolicyOptions } from './policy-sources.ts';
import type { BacktestOptions, RulesReport } from './test-rules.ts';

export type { Backtest, ChangedDecision, Explanation };

/**
 * `capstan.policy`: explain and test decisions, and apply rules to past intents. All functions throw AppError
 * `SETTINGS_INVALID`.
 */
export interface PolicyApi {
  /**
   * How each intent `{ capsule, tool, args }` would be decided now, and by which step and rule. Performs nothing and
   * creates no database.
   *
   * @throws AppError `USAGE` if one is not an intent.
   */
  explain(intents: readonly unknown[], options?: PolicyOptions): Promise<readonly Explanation[]>;
  /** Checks the rules files, and runs the examples of every rule. */
  test(options?: PolicyOptions): Promise<RulesReport>;
  /** Decides every journaled intent again, by the rules as they are now. */
  backtest(options?: BacktestOptions): Promise<Backtest>;
}

export const policyApi = lazyApi<PolicyApi>({
  explain: async () => (await import('./explain-intents.ts')).explainIntents,
  test: async () => (await import('./test-rules.ts')).testRules,
  backtest: async () => (await import('./test-rules.ts')).backtestRules,
});

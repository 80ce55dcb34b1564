import { type Backtest, backtest } from '../../broker/rules/backtest.ts';
import { loadPolicy } from '../../broker/rules/load-policy.ts';
import { storesIfAny } from '../capsules/capsule-records.ts';
import type { AppContext } from '../context/open-context.ts';
import { openConfiguredApis } from '../wiring/models/open-configured-apis.ts';
import { type PolicyOptions, policySources } from './policy-sources.ts';

export interface BacktestOptions extends PolicyOptions {
  /** Intents proposed at this time or later. Default: all. */
  readonly since?: Date | undefined;
}

const NOTHING: Backtest = {
  decided: 0,
  skipped: 0,
  counts: new Map(),
  changed: [],
  changedInAll: 0,
};

/** Decides every journaled intent again, by the rules as they are now. */
export async function backtestRules(context: AppContext, options: BacktestOptions = {}) {
  const { loaded, sources } = await policySources(context, options);
  const { rules } = await loadPolicy(sources);
  const stores = await storesIfAny(context);
  if (!stores) return NOTHING;
  const { services } = await openConfiguredApis(loaded.settings, context.environment);
  const origins = new Map(services.map(({ name, origin }) => [name, origin]));
  const since = options.since && { sinceIso: options.since.toISOString() };
  return backtest(stores.db, rules, { tools: sources.tools, origins, ...since });
}

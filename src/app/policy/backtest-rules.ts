import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Backtest, backtest } from '../../broker/rules/backtest.ts';
import { loadPolicy } from '../../broker/rules/load-policy.ts';
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
  if (!existsSync(join(context.places.stateDir, 'capstan.db'))) return NOTHING;
  const { services } = await openConfiguredApis(loaded.settings, context.environment);
  const origins = new Map(services.map(({ name, origin }) => [name, origin]));
  const since = options.since && { sinceIso: options.since.toISOString() };
  const { db } = await context.stores();
  return backtest(db, rules, { tools: sources.tools, origins, ...since });
}

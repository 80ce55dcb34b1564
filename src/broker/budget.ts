import type { Db } from '../db/open-database.ts';
import type { Journal } from './journal.ts';
import type { Budget } from './parts.ts';

export interface BudgetLimits {
  readonly runMicroUsd: number;
  readonly runMicroUsdSetByPerson: boolean;
  readonly dayMicroUsd: number;
  readonly runTokens: number | undefined;
}

/** The limits, and what the journal says was used of them. */
export function createBudget(
  limits: BudgetLimits,
  { db, journal, now }: { readonly db: Db; readonly journal: Journal; readonly now: () => Date },
): Budget {
  const ofRun = db.prepare<[string], { microUsd: number; tokens: number }>(`
    SELECT coalesce(sum(cost_micro_usd), 0) AS microUsd,
      coalesce(sum(input_tokens + output_tokens), 0) AS tokens
    FROM intents WHERE run_id = ? AND kind <> 'tool'`);
  const since = db
    .prepare<[string], number>(
      'SELECT coalesce(sum(cost_micro_usd), 0) FROM intents WHERE proposed_at >= ? AND cost_micro_usd > 0',
    )
    .pluck();
  return {
    runMicroUsd: limits.runMicroUsd,
    dayMicroUsd: limits.dayMicroUsd,
    runTokens: limits.runTokens,
    isConsent: limits.runMicroUsdSetByPerson,
    spentBy(runId) {
      journal.flush();
      return ofRun.get(runId) ?? { microUsd: 0, tokens: 0 };
    },
    spentToday: () => since.get(midnight(now()).toISOString()) ?? 0,
  };
}

const midnight = (time: Date): Date =>
  new Date(time.getFullYear(), time.getMonth(), time.getDate());

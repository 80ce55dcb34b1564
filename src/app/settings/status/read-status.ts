import { chooseProvider } from '../../../llm/choose-provider.ts';
import { openProvider } from '../../../llm/providers.ts';
import type { AppContext, SettingsOverrides } from '../../context/open-context.ts';
import { openIsolation } from '../../wiring/isolation.ts';
import type { ModelsByHint } from '../setup/setup-provider.ts';

export interface Status {
  /** Absolute. */
  readonly workspace: string;
  readonly provider: {
    /** `offline`: there is no model. */
    readonly name: string;
    /** Why it was chosen, in a few words. */
    readonly why: string;
  };
  /** Null without a model. */
  readonly models: ModelsByHint | null;
  readonly isolation: {
    readonly level: 'A' | 'B' | 'C' | 'none';
    /** How it was found, or why it is not higher. */
    readonly reason: string;
  };
  /** Since midnight, local time, of all workspaces: spent and reserved. */
  readonly spentTodayUsd: number;
  /** Including today's raises. */
  readonly dayBudgetUsd: number;
  readonly runBudgetUsd: number;
  /** Questions of every run that wait for an answer. */
  readonly openQuestions: number;
}

export async function readStatus(
  context: AppContext,
  overrides?: SettingsOverrides,
): Promise<Status> {
  const { settings } = await context.settings(overrides);
  const [{ name, why }, { level, reason }, { budget, approvals }] = await Promise.all([
    chooseProvider(settings),
    openIsolation(settings, false),
    context.stores(),
  ]);
  const provider = await openProvider(name, settings);
  const { modelFor, isModel } = provider;
  const models = { fast: modelFor('fast'), balanced: modelFor('balanced'), best: modelFor('best') };
  provider.close();
  const nobody = { id: '', runId: '', capsuleId: '' };
  const used = budget.used(nobody, { budget: settings.budget, capsuleBudgets: new Map() });
  return {
    workspace: settings.workspace,
    provider: { name, why },
    models: isModel ? models : null,
    isolation: { level, reason },
    spentTodayUsd: used.daySpentMicroUsd / 1e6,
    dayBudgetUsd: used.dayBudgetMicroUsd / 1e6,
    runBudgetUsd: settings.budget.runMicroUsd / 1e6,
    openQuestions: approvals.pending().length,
  };
}

import { chooseProvider } from '../../../llm/choose-provider.ts';
import { openProvider } from '../../../llm/providers.ts';
import type { AppContext, SettingsOverrides } from '../../context/open-context.ts';
import { openIsolation } from '../../wiring/isolation.ts';

export type Status = Awaited<ReturnType<typeof readStatus>>;

export async function readStatus(context: AppContext, overrides?: SettingsOverrides) {
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
    /** Absolute. */
    workspace: settings.workspace,
    /** Its name, `offline` without a model, and why it was chosen, in a few words. */
    provider: { name, why },
    /** Null without a model. */
    models: isModel ? models : null,
    /** `reason`: how the level was found, or why it is not higher. */
    isolation: { level, reason },
    /** Since midnight, local time, of all workspaces: spent and reserved. */
    spentTodayUsd: used.daySpentMicroUsd / 1e6,
    /** Including today's raises. */
    dayBudgetUsd: used.dayBudgetMicroUsd / 1e6,
    runBudgetUsd: settings.budget.runMicroUsd / 1e6,
    /** Questions of every run that wait for an answer. */
    openQuestions: approvals.pending().length,
  };
}

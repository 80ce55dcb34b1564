import { totalOf } from '../../../app/money/cost-rows.ts';
import type { CostRow } from '../../../app/money/report-costs.ts';
import { formatCost } from '../../text/format.ts';
import type { MenuContext } from '../program/create-context.ts';

/** Prints the cost of the conversation's runs, and today's cost with the daily budget. */
export async function printCost(context: MenuContext): Promise<void> {
  const { capstan, conversation, workspace, print, frame } = context;
  const { separator } = frame().symbols;
  const session = conversation.sessionId();
  const runs = session === undefined ? [] : (await capstan.sessions.get(session)).runs;
  const reports = await Promise.all(runs.map(({ id }) => capstan.costs.report({ run: id })));
  const total = totalOf(reports.map((one) => one.total));
  const [today, settings] = await Promise.all([
    capstan.costs.report({ by: 'day', since: startOfDay(new Date()) }),
    capstan.settings.get({ workspace }),
  ]);
  const budget = settings.values.find(({ name }) => name === 'CAPSTAN_BUDGET_DAY_USD')?.value;
  const limit = budget === undefined || budget === null ? null : Number(budget);
  print(`  This conversation: ${costLine(total, separator)}`);
  print(`  ${todayLine(today.total.costMicroUsd / 1e6, limit)}${separator}more: capstan runs cost`);
}

/** The budget of a day begins at midnight of this machine. */
const startOfDay = (now: Date): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate());

/** `$0.26 · 96k tokens in (61 % cached), 4k out` */
function costLine(total: CostRow, separator: string): string {
  const { costMicroUsd, estimatedMicroUsd, inputTokens, cachedInputTokens, outputTokens } = total;
  if (inputTokens + outputTokens === 0) return 'no model calls';
  const about = estimatedMicroUsd > 0 ? 'about ' : '';
  const share = inputTokens > 0 ? Math.round((cachedInputTokens / inputTokens) * 100) : 0;
  const tokens = `${tokenCount(inputTokens)} tokens in (${share} % cached), ${tokenCount(outputTokens)} out`;
  return `${about}${formatCost(costMicroUsd / 1e6)}${separator}${tokens}`;
}

/** `812`, `4k`, `1.2M` */
function tokenCount(count: number): string {
  if (count < 1_000) return String(count);
  return count < 999_500 ? `${Math.round(count / 1_000)}k` : `${(count / 1e6).toFixed(1)}M`;
}

/** `today $0.14 of $10.00`, with `(nearly spent)` from 80 % on. @param budgetUsd Null: no limit. */
function todayLine(spentUsd: number, budgetUsd: number | null): string {
  if (budgetUsd === null) return `today ${formatCost(spentUsd)}, no daily limit`;
  const warning = spentUsd >= 0.8 * budgetUsd ? ' (nearly spent)' : '';
  return `today ${formatCost(spentUsd)} of ${formatCost(budgetUsd)}${warning}`;
}

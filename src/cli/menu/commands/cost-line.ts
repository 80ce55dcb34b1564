import type { CostRow } from '../../../app/costs/report-costs.ts';
import { formatCost } from '../../format.ts';

type Figures = Pick<
  CostRow,
  'costMicroUsd' | 'estimatedMicroUsd' | 'inputTokens' | 'cachedInputTokens' | 'outputTokens'
>;

/** `$0.26 · 96k tokens in (61 % cached), 4k out` */
export function costLine(total: Figures, separator: string): string {
  const { costMicroUsd, estimatedMicroUsd, inputTokens, cachedInputTokens, outputTokens } = total;
  if (inputTokens + outputTokens === 0) return 'no model was asked';
  const about = estimatedMicroUsd > 0 ? 'about ' : '';
  const share = inputTokens > 0 ? Math.round((cachedInputTokens / inputTokens) * 100) : 0;
  const tokens = `${tokenCount(inputTokens)} tokens in (${share} % cached), ${tokenCount(outputTokens)} out`;
  return `${about}${formatCost(costMicroUsd / 1e6)}${separator}${tokens}`;
}

/** `812`, `4k`, `1.2M` */
export function tokenCount(count: number): string {
  if (count < 1_000) return String(count);
  return count < 999_500 ? `${Math.round(count / 1_000)}k` : `${(count / 1e6).toFixed(1)}M`;
}

/** `today $0.14 of $10.00`, with a word from 80 % on. @param budgetUsd Null: no limit. */
export function todayLine(spentUsd: number, budgetUsd: number | null): string {
  if (budgetUsd === null) return `today ${formatCost(spentUsd)}, no limit a day`;
  const warning = spentUsd >= 0.8 * budgetUsd ? ' (nearly spent)' : '';
  return `today ${formatCost(spentUsd)} of ${formatCost(budgetUsd)}${warning}`;
}

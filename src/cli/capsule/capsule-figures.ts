import type { CapsuleDetails } from '../../app/capsules/list-capsules.ts';
import { formatCost, formatDuration } from '../format.ts';

type Figures = CapsuleDetails['figures'];

/** Figures for JSON; null if a capsule was never used. */
export const figuresDocument = (figures: Figures) =>
  figures
    ? {
        uses: figures.uses,
        completed: figures.completed,
        success_rate: figures.completed / figures.uses,
        p50_ms: figures.p50Ms,
        p95_ms: figures.p95Ms,
        cost_usd: figures.costMicroUsd / 1e6,
        first_used_at: figures.firstUsedAt,
        last_used_at: figures.lastUsedAt,
      }
    : null;

export const figureColumns = ['uses', 'success', 'p50', 'p95', 'cost'] as const;

/** Cells for `figureColumns`. */
export function figureCells(figures: Figures): string[] {
  if (!figures) return ['0', '-', '-', '-', '-'];
  const { uses, completed, p50Ms, p95Ms, costMicroUsd } = figures;
  return [
    String(uses),
    `${Math.floor((completed / uses) * 100)} %`,
    formatDuration(p50Ms),
    formatDuration(p95Ms),
    formatCost(costMicroUsd / 1e6),
  ];
}

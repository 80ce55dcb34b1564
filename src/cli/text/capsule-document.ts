import type { CapsuleDetails, ListedCapsule } from '../../app/capsules/list-capsules.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { formatCost, formatDuration } from './format.ts';

type Manifest = ListedCapsule['capsule']['manifest'];

/** Rows of a table: each granted tool, and `operations: read · paths: src/**`. */
export const grantRows = ({ tools }: Manifest['grants']): readonly string[][] =>
  Object.entries(tools).map(([tool, grant]) => {
    const parts = Object.entries(grant).map(
      ([what, patterns]) => `${what}: ${(patterns ?? []).join(', ')}`,
    );
    const words = parts.join(' · ') || 'nothing but the tool itself';
    return [`  ${escapeText(tool)}`, escapeText(words)];
  });

type Figures = CapsuleDetails['figures'];

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

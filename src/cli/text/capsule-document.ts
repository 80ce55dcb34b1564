import type { CapsuleDetails, ListedCapsule } from '../../app/capsules/list-capsules.ts';
import { withDocumentKeys } from '../../contract/documents/document-keys.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { formatCost, formatDuration } from './format.ts';

type Capsule = ListedCapsule['capsule'];

/** The main fields of a capsule, for JSON. */
export const capsuleDocument = ({ id, origin, manifest }: Capsule) => ({
  id,
  name: manifest.name,
  origin,
  version: manifest.version,
  description: manifest.description,
  task_kinds: manifest.task_kinds.map(({ name, mode }) => ({ name, mode })),
  tools: Object.keys(manifest.grants.tools),
  skills: manifest.skills,
});

/** Whether a capsule is ready or quarantined, for JSON. */
export const statusDocument = (quarantine: ListedCapsule['quarantine']) => ({
  status: quarantine ? 'quarantined' : 'ready',
  quarantine: quarantine
    ? { reason: quarantine.reason, by: quarantine.heldBy, since: quarantine.heldAt }
    : null,
});

/** Rows of a table: each granted tool, and `operations: read · paths: src/**`. */
export const grantRows = (tools: Capsule['manifest']['grants']['tools']): readonly string[][] =>
  Object.entries(tools).map(([tool, grant]) => {
    const parts = Object.entries(grant).map(
      ([what, patterns]) => `${what}: ${(patterns ?? []).join(', ')}`,
    );
    const words = parts.join(' · ') || 'nothing but the tool itself';
    return [`  ${escapeText(tool)}`, escapeText(words)];
  });

type Figures = CapsuleDetails['figures'];

/** Figures for JSON; null if a capsule was never used. */
export const figuresDocument = (figures: Figures) =>
  figures ? { ...withDocumentKeys(figures), success_rate: figures.completed / figures.uses } : null;

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

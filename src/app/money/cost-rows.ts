import type { CostRow } from '../../broker/money/cost-report.ts';
import { withDocumentKeys } from '../../contract/documents/document-keys.ts';

/** A row of a report of costs under the keys of its document. */
export const costLine = ({ estimatedMicroUsd, ...row }: CostRow) => ({
  ...withDocumentKeys(row),
  estimated_cost_usd: estimatedMicroUsd / 1e6,
});

/** The sum of the rows. */
export function totalOf(rows: readonly CostRow[]): CostRow {
  const sum = (of: (row: CostRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    name: 'total',
    about: null,
    estimatedMicroUsd: sum((row) => row.estimatedMicroUsd),
    modelCalls: sum((row) => row.modelCalls),
    toolCalls: sum((row) => row.toolCalls),
    inputTokens: sum((row) => row.inputTokens),
    cachedInputTokens: sum((row) => row.cachedInputTokens),
    outputTokens: sum((row) => row.outputTokens),
    costMicroUsd: sum((row) => row.costMicroUsd),
    reservedMicroUsd: sum((row) => row.reservedMicroUsd),
  };
}

import * as z from 'zod';
import { costLine } from '../../app/money/cost-rows.ts';
import type { CostRow } from '../../app/money/report-costs.ts';
import { CostLine, Costs } from '../../contract/documents/state-documents.ts';
import { FileAnswer, type Route, route } from './route.ts';
import { Since } from './shared-schemas.ts';

const Query = z.object({
  by: z.enum(['run', 'subtask', 'capsule', 'model', 'tool', 'day']).default('day'),
  since: Since.optional(),
  run: z.string().max(200).optional(),
});

const lineOf = (row: CostRow) => CostLine.parse(costLine(row));

/** A text that a spreadsheet would take for a formula gets an apostrophe. */
const cell = (value: string | number | null): string => {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : (value ?? '');
  return `"${text.replaceAll('"', '""')}"`;
};

export const costs: readonly Route[] = [
  route('GET /costs', {
    summary: 'What was spent',
    query: Query,
    answer: Costs,
    async handle({ capstan }, { query }) {
      const { by, rows, total } = await capstan.costs.report(query);
      return { by, rows: rows.map(lineOf), total: lineOf(total) };
    },
  }),
  route('GET /costs.csv', {
    summary: 'What was spent, for a spreadsheet',
    query: Query,
    async handle({ capstan }, { query }) {
      const { by, rows } = await capstan.costs.report(query);
      const lines = [Object.keys(CostLine.shape), ...rows.map((row) => Object.values(lineOf(row)))];
      const text = lines.map((line) => line.map(cell).join(',')).join('\r\n');
      return new FileAnswer(`costs-by-${by}.csv`, 'text/csv; charset=utf-8', `${text}\r\n`);
    },
  }),
];

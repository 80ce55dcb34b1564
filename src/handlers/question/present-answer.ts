import { markdownText } from '../tables/escape-cell.ts';
import type { ResultTable } from '../tables/evaluation.ts';
import {
  renderDelimited,
  renderMarkdown,
  type Sheet,
  toMapping,
  toObjects,
} from '../tables/render.ts';
import type { Table } from '../tables/table.ts';
import { describeQuery } from './describe-query.ts';
import type { Format } from './parse-output.ts';
import type { ObjectNode, Plan } from './plan.ts';

/** Rows shown in the text of an answer; files hold all. */
const MAX_SHOWN = 200;

/** One answered question. */
export interface Answer {
  readonly plan: Plan;
  readonly results: readonly ResultTable[];
}

/** The columns that were asked for, by their names. */
export function sheetOf({ plan, results }: Answer): Sheet {
  const [result] = results;
  if (!result) return { columns: [], rows: [] };
  if (!plan.columns) return result;
  const { columns } = plan;
  return {
    columns: columns.map(({ key, column }) => ({ name: key, unit: result.columns[column]?.unit })),
    rows: result.rows.map((row) => columns.map(({ column }) => row[column] ?? null)),
    texts: result.texts?.map((row) => row && columns.map(({ column }) => row[column] ?? null)),
  };
}

/** The answer as plain values: a list of objects, an object, or one value's object. */
export function plainValue(answer: Answer): unknown {
  const { plan, results } = answer;
  if (plan.object) return objectValue(plan.object, results);
  return plan.isMapping ? toMapping(sheetOf(answer)) : toObjects(sheetOf(answer));
}

function objectValue(node: ObjectNode, results: readonly ResultTable[]): unknown {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries(
        node.entries.map(([key, inner]) => [key, objectValue(inner, results)]),
      );
    case 'cell':
      return results[node.query]?.rows[0]?.[node.column] ?? null;
    case 'row': {
      const row = results[node.query]?.rows[0];
      return row
        ? Object.fromEntries(node.columns.map(({ key, column }) => [key, row[column] ?? null]))
        : null;
    }
  }
}

/** An answer in a file's format. */
export function renderAnswer(answer: Answer, format: Format, report: string): string {
  const { plan } = answer;
  if (format === 'json') return `${JSON.stringify(plainValue(answer), null, 2)}\n`;
  if (format === 'csv') return renderDelimited(sheetOf(answer), ',', plan.hasHeader);
  if (format === 'tsv') return renderDelimited(sheetOf(answer), '\t', plan.hasHeader);
  return report;
}

/** An answer for a person: the figures, and how the question was read. */
export function reportOf(answer: Answer, table: Table): string {
  const { plan, results } = answer;
  const figures = plan.object ? objectFigures(plan.object, results) : listFigures(sheetOf(answer));
  const used = plan.queries.map((query, at) => describeQuery(query, at === 0 ? plan.meanings : []));
  const notes = [
    ...new Set(results.flatMap((result) => result.notes)),
    ...sourceNotes(plan, table),
  ];
  const [first] = results;
  const counted = first
    ? `${first.rowsMatched} of ${first.rowsRead} rows of ${table.name} (${table.format}) counted`
    : '';
  return [
    figures,
    `Read as: ${markdownText([...used, counted].filter((part) => part !== '').join('; '))}.`,
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
  ].join('\n\n');
}

/** A question as a heading. */
export function headingOf({ text }: Plan): string {
  const line = markdownText(text.replace(/\s+/g, ' ').replace(/[.:;,]+$/, ''));
  const characters = [...line];
  const cut = characters.length > 100 ? `${characters.slice(0, 100).join('')}…` : line;
  return `${cut.charAt(0).toUpperCase()}${cut.slice(1)}`;
}

function listFigures(sheet: Sheet): string {
  if (sheet.rows.length === 0) return 'No rows match.';
  const shown = { ...sheet, rows: sheet.rows.slice(0, MAX_SHOWN) };
  const more = sheet.rows.length - shown.rows.length;
  return more > 0 ? `${renderMarkdown(shown)}\n\n… and ${more} more rows.` : renderMarkdown(shown);
}

function objectFigures(node: ObjectNode, results: readonly ResultTable[]): string {
  return `\`\`\`json\n${JSON.stringify(objectValue(node, results), null, 2).replaceAll('`', '\\u0060')}\n\`\`\``;
}

function sourceNotes(plan: Plan, table: Table): string[] {
  const { skipped } = table;
  const notes = [];
  if (skipped.count > 0) {
    const which = skipped.lines.join(', ') + (skipped.count > skipped.lines.length ? ', …' : '');
    notes.push(
      `${skipped.count} lines of ${table.name} could not be read and are left out (line ${which}).`,
    );
  }
  if (!table.isWhole)
    notes.push(
      'The file is large: its columns and values were learned from its beginning; all rows were counted.',
    );
  if (plan.limitIsDefault) notes.push('No number was given: ten are shown.');
  if (usesEndpoint(plan))
    notes.push('endpoint = path without its query, ids in it replaced by :id.');
  const bare = table.columns.find(({ role, unit }) => role === 'duration' && unit === undefined);
  if (
    bare &&
    plan.queries.some((query) => JSON.stringify(query).includes(`"column":"${bare.name}"`))
  ) {
    notes.push(`The file does not say in which unit "${bare.name}" is.`);
  }
  return notes;
}

const usesEndpoint = ({ queries }: Plan): boolean =>
  JSON.stringify(queries).includes('"column":"endpoint"');

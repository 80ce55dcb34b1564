import type { HandlerContext } from '../../context.ts';
import { TaskError } from '../../task-error.ts';

/** A table of a result; objects become rows. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Cells as written in their file, by row and column, if a number would be written differently. */
  readonly texts?: readonly (readonly unknown[] | null)[] | undefined;
}

/** The result of an earlier step. */
export interface Found {
  readonly description: string;
  /** The first line of the description, in quotes. */
  readonly name: string;
  readonly text: string;
  readonly data: unknown;
}

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a result that has any. */
export const fieldsOf = ({ data }: Pick<Found, 'data'>): Fields => (isRecord(data) ? data : {});

/** The earlier results. Those that only wrote files are left out if there are others. */
export function foundBefore(results: HandlerContext['results']): readonly Found[] {
  const all = results.map(({ description, result }) => {
    const name = `"${(description.split('\n')[0] ?? '').trim()}"`;
    return { description, name, ...partsOf(result) };
  });
  const finding = all.filter((one) => !('written' in fieldsOf(one)));
  return finding.length > 0 ? finding : all;
}

function partsOf(result: unknown): { text: string; data: unknown } {
  if (typeof result === 'string') return { text: result, data: undefined };
  if (isRecord(result) && typeof result['text'] === 'string')
    return { text: result['text'], data: result['data'] };
  return { text: JSON.stringify(result ?? null, null, 2), data: result };
}

/** The table in some data: `{columns, rows}`, a list of objects, or the only one of these inside an object. */
export function tableOf(data: unknown): Table | undefined {
  if (!isRecord(data)) return tableOfRows(data);
  const inside = Object.values(data).flatMap((value) => tableOfFields(value) ?? []);
  return tableOfFields(data) ?? (inside.length === 1 ? inside[0] : undefined);
}

function tableOfFields(data: unknown): Table | undefined {
  if (!isRecord(data)) return tableOfRows(data);
  const { columns, rows, texts } = data;
  const written = Array.isArray(texts) ? (texts as Table['texts']) : undefined;
  const names = Array.isArray(columns)
    ? columns.map((one) => String(isRecord(one) ? one['name'] : one))
    : undefined;
  if (names && Array.isArray(rows) && rows.every(Array.isArray))
    return { columns: names, rows, texts: written };
  return tableOfRows(rows, names);
}

function tableOfRows(list: unknown, names?: readonly string[]): Table | undefined {
  if (!Array.isArray(list) || !list.every(isRecord)) return undefined;
  const columns = names ?? [...new Set(list.flatMap((item) => Object.keys(item)))];
  const rows = list.map((item) => columns.map((name) => item[name]));
  return columns.length === 0 ? undefined : { columns, rows };
}

/** Data for a JSON file: a table becomes a list of objects. */
export function plainData(found: Found): unknown {
  const { data, text } = found;
  if (data === undefined) return { text };
  const { columns, rows } = fieldsOf(found);
  const table = columns && rows ? tableOf(data) : undefined;
  if (table === undefined) return data;
  return table.rows.map((row) =>
    Object.fromEntries(table.columns.map((name, index) => [name, row[index] ?? null])),
  );
}

/** The number of a result, if there is exactly one. */
export function numberOf(found: Found): number | undefined {
  const { count, value, total, number, rows } = fieldsOf(found);
  const cells = Array.isArray(rows) ? rows.flat() : [];
  const single = cells.length === 1 ? cells : [];
  return [found.data, count, value, total, number, ...single].find(
    (one) => typeof one === 'number',
  );
}

/** Plain text of a result: the output of a command, the text of a page, a file or some of its lines. */
export function rawText(found: Found): string | undefined {
  const { content, stdout, body, lines } = fieldsOf(found);
  const text = [content, stdout, body].find((one) => typeof one === 'string');
  if (text !== undefined || !Array.isArray(lines)) return text;
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * The text of the one earlier step that a task like "count the lines in it" refers to.
 *
 * @throws TaskError `AMBIGUOUS` if there are several, or none.
 */
export function onlyText(results: HandlerContext['results']): {
  readonly name: string;
  readonly text: string;
} {
  const found = foundBefore(results);
  const [only] = found;
  if (only !== undefined && found.length === 1)
    return { name: only.name, text: rawText(only) ?? only.text };
  throw new TaskError(
    'AMBIGUOUS',
    `The task speaks of one earlier result or file, and there are ${found.length} results. Name the file.`,
  );
}

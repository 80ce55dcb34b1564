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
  readonly text: string;
  readonly data: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The earlier results. Those that only wrote files are left out if there are others. */
export function foundBefore(results: HandlerContext['results']): readonly Found[] {
  const all = results.map(({ description, result }) => ({ description, ...partsOf(result) }));
  const finding = all.filter(({ data }) => !(isRecord(data) && 'written' in data));
  return finding.length > 0 ? finding : all;
}

function partsOf(result: unknown): { text: string; data: unknown } {
  if (typeof result === 'string') return { text: result, data: undefined };
  if (isRecord(result) && typeof result['text'] === 'string')
    return { text: result['text'], data: result['data'] };
  return { text: JSON.stringify(result ?? null, null, 2), data: result };
}

/** The table in some data: `{columns, rows}`, a list of objects, or the first of these inside an object. */
export function tableOf(data: unknown, depth = 0): Table | undefined {
  if (Array.isArray(data)) return tableOfObjects(data);
  if (!isRecord(data)) return undefined;
  const { columns, rows } = data;
  if (Array.isArray(columns) && Array.isArray(rows)) {
    const names = columns.map((column) =>
      isRecord(column) ? String(column['name']) : String(column),
    );
    if (rows.every((row) => Array.isArray(row)))
      return { columns: names, rows: rows as unknown[][], texts: textsOf(data) };
    if (rows.every(isRecord))
      return { columns: names, rows: rows.map((row) => names.map((name) => row[name])) };
  }
  if (Array.isArray(rows)) return tableOfObjects(rows);
  if (depth > 0) return undefined;
  const inside = Object.values(data).flatMap((value) => tableOf(value, depth + 1) ?? []);
  return inside.length === 1 ? inside[0] : undefined;
}

const textsOf = ({ texts }: Record<string, unknown>): Table['texts'] =>
  Array.isArray(texts) && texts.every((row) => row === null || Array.isArray(row))
    ? (texts as Table['texts'])
    : undefined;

function tableOfObjects(list: readonly unknown[]): Table | undefined {
  if (list.length === 0 || !list.every(isRecord)) return undefined;
  const columns = [...new Set(list.flatMap((item) => Object.keys(item)))];
  return { columns, rows: list.map((item) => columns.map((name) => item[name])) };
}

/** Data for a JSON file: a table becomes a list of objects. */
export function plainData({ data, text }: Found): unknown {
  if (data === undefined) return { text };
  const table = isRecord(data) && 'columns' in data && 'rows' in data ? tableOf(data) : undefined;
  if (table === undefined) return data;
  return table.rows.map((row) =>
    Object.fromEntries(table.columns.map((name, index) => [name, row[index] ?? null])),
  );
}

/** The number of a result, if there is exactly one. */
export function numberOf({ data }: Found): number | undefined {
  if (typeof data === 'number') return data;
  if (!isRecord(data)) return undefined;
  for (const name of ['count', 'value', 'total', 'number']) {
    const value = data[name];
    if (typeof value === 'number') return value;
  }
  const { rows } = data;
  const only = Array.isArray(rows) && rows.length === 1 ? rows[0] : undefined;
  const cell = Array.isArray(only) && only.length === 1 ? only[0] : undefined;
  return typeof cell === 'number' ? cell : undefined;
}

/** Plain text of a result: the output of a command, the text of a page, a file or some of its lines. */
export function rawText({ data }: Found): string | undefined {
  if (!isRecord(data)) return undefined;
  for (const name of ['content', 'stdout', 'body']) {
    const value = data[name];
    if (typeof value === 'string') return value;
  }
  const lines = data['lines'];
  if (Array.isArray(lines) && lines.every((line) => typeof line === 'string')) {
    return lines.map((line) => `${line}\n`).join('');
  }
  return undefined;
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
  if (only === undefined || found.length > 1) {
    throw new TaskError(
      'AMBIGUOUS',
      `The task speaks of one earlier result or file, and there are ${found.length} results. Name the file.`,
    );
  }
  return {
    name: `"${(only.description.split('\n')[0] ?? '').trim()}"`,
    text: rawText(only) ?? only.text,
  };
}

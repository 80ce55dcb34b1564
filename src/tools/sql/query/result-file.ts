import type { ResultFormat } from '../process/sql-protocol.ts';
import { Spelled, toJson } from './collect-rows.ts';

/** Largest file that a result is written to, in bytes. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

interface Writing {
  readonly head: string;
  readonly end?: string;
  row(row: readonly unknown[], isFirst: boolean): string;
}

/**
 * A result as the content of a file. CSV follows RFC 4180 with LF; NULL is an empty cell. In JSON each row is an object.
 *
 * @param onRow Called with each row before it is written.
 * @throws Error if the content is longer than 64 MiB, or JSON would have one name twice.
 */
export function resultFile(
  rows: Iterable<readonly unknown[]>,
  columns: readonly string[],
  format: ResultFormat,
  onRow: (row: readonly unknown[]) => void,
): Buffer {
  if (format.startsWith('json')) assertDistinct(columns);
  const { head, end = '', row: write } = writers[format](columns);
  const parts: Buffer[] = [];
  let bytes = 0;
  let text = head;
  const flush = () => {
    const part = Buffer.from(text);
    bytes += part.length;
    if (bytes > MAX_FILE_BYTES)
      throw new Error('the result is longer than 64 MiB, so it is not written; select less');
    parts.push(part);
    text = '';
  };
  let isFirst = true;
  for (const row of rows) {
    onRow(row);
    text += write(row, isFirst);
    isFirst = false;
    if (text.length > 64 * 1024) flush();
  }
  text += end;
  flush();
  return Buffer.concat(parts);
}

function assertDistinct(columns: readonly string[]): void {
  const twice = columns.find((name, at) => columns.indexOf(name) !== at);
  if (twice === undefined) return;
  throw new Error(
    `two columns are called "${twice}", and JSON has each name once; rename one with AS`,
  );
}

const writers: Readonly<Record<ResultFormat, (columns: readonly string[]) => Writing>> = {
  csv: (columns) => ({
    head: `${csvRow(columns)}\n`,
    row: (row) => `${csvRow(row.map(plainText), true)}\n`,
  }),
  json: (columns) => ({
    head: '[',
    end: '\n]\n',
    row: (row, isFirst) => `${isFirst ? '' : ','}\n  ${jsonRow(columns, row)}`,
  }),
  jsonl: (columns) => ({ head: '', row: (row) => `${jsonRow(columns, row)}\n` }),
  md: (columns) => ({
    head: `${markdownRow(columns)}\n${markdownRow(columns.map(() => '---'))}\n`,
    row: (row) => `${markdownRow(row.map(plainText))}\n`,
  }),
};

/** A value as text. A cell of a file keeps its spelling. */
function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Spelled) return value.text;
  if (value instanceof Uint8Array) throw noBlob();
  return String(value);
}

const noBlob = (): Error => new Error("a text file can't contain a BLOB; use hex() on its column");

/** A row of one empty cell is quoted, or it would be a blank line. */
const csvRow = (cells: readonly string[], isRow = false): string =>
  isRow && cells.length === 1 && cells[0] === ''
    ? '""'
    : cells
        .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(',');

const jsonRow = (columns: readonly string[], row: readonly unknown[]): string =>
  `{${row.map((value, at) => `${JSON.stringify(columns[at])}: ${jsonValue(value)}`).join(', ')}}`;

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Numbers are numbers, with all their digits. */
function jsonValue(value: unknown): string {
  if (value instanceof Uint8Array) throw noBlob();
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return JSON.stringify(value);
  if (!(value instanceof Spelled)) return JSON.stringify(toJson(value));
  return value.isNumber && JSON_NUMBER.test(value.text) ? value.text : JSON.stringify(value.text);
}

const markdownRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replace(/[\\|]/g, '\\$&').replace(/\r\n|[\r\n]/g, '<br>')).join(' | ')} |`;

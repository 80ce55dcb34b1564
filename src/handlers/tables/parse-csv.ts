import { TaskError } from '../task-error.ts';
import { endpointOf } from './access-log.ts';
import { type CsvRecord, createCsvReader, findDelimiter } from './csv.ts';
import { inferColumns } from './infer-columns.ts';
import { isLogLike } from './log-like.ts';
import { derivedFrom } from './parse-objects.ts';
import { type RowParser, skip } from './row-parser.ts';
import type { Column, Row } from './table.ts';

/** Delimited text with a header line. A record with another number of cells than the header is skipped and counted. */
export function createCsvParser(sample: string): RowParser {
  const skipped = { count: 0, lines: [] };
  const reader = createCsvReader(findDelimiter(sample));
  let header: readonly string[] = [];
  let path = -1;
  let columns: readonly Column[] = [];

  const toRows = (records: readonly CsvRecord[]): Row[] => {
    const rows: Row[] = [];
    for (const { cells, line } of records) {
      if (cells.length === header.length) {
        rows.push(path === -1 ? cells : [...cells, endpointOf(cells[path] ?? '')]);
      } else skip(skipped, line);
    }
    return rows;
  };
  const read = (text: string, isLast: boolean) => {
    const records = reader.push(text);
    return isLast ? [...records, ...reader.end()] : records;
  };

  return {
    format: 'CSV',
    get isLog() {
      return isLogLike(columns);
    },
    skipped,
    start(first) {
      const [head, ...records] = read(first.text, first.isLast);
      header = checkedHeader(head?.cells ?? []);
      path = header.indexOf(derivedFrom(header) ?? '');
      const rows = toRows(records);
      columns = inferColumns(path === -1 ? header : [...header, 'endpoint'], rows).map((column) =>
        column.index < header.length ? column : { ...column, isDerived: true },
      );
      return rows;
    },
    columns: () => columns,
    next: (chunk) => toRows(read(chunk.text, chunk.isLast)),
  };
}

function checkedHeader(cells: readonly string[]): string[] {
  const names = cells.map((cell) => cell.trim());
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (twice !== undefined) {
    throw new TaskError('INPUT_INVALID', `The header names the column "${twice}" twice.`);
  }
  return names.map((name, at) => (name === '' ? `column ${at + 1}` : name));
}

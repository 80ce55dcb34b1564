import { accessColumns, parseAccessLine, type Trailing, withTrailing } from './access-log.ts';
import { inferColumns, toNumber } from './infer-columns.ts';
import type { Chunk } from './read-file.ts';
import { roleOf } from './roles.ts';
import { linesOf, type RowParser, skip } from './row-parser.ts';
import type { Cell, Column, Row } from './table.ts';

interface Parsed {
  readonly cells: readonly Cell[];
  readonly trailing: readonly Trailing[];
}

/** Access logs: common, combined, and with fields such as `duration_ms=12` behind. Lines of `#` are comments. */
export function createAccessLogParser(): RowParser {
  const skipped = { count: 0, lines: [] };
  let names: readonly string[] = [];
  let columns: readonly Column[] = [];

  const parse = (chunk: Chunk): Parsed[] => {
    const parsed: Parsed[] = [];
    for (const [line, lineNumber] of linesOf(chunk)) {
      if (line.startsWith('#')) continue;
      const found = parseAccessLine(line, lineNumber);
      if (found) parsed.push(found);
      else skip(skipped, lineNumber);
    }
    return parsed;
  };
  const toRow = ({ cells, trailing }: Parsed): Row => withTrailing(cells, trailing, names);

  return {
    format: 'access log',
    isLog: true,
    skipped,
    start(first) {
      const parsed = parse(first);
      const fields = trailingFields(parsed);
      names = fields.map(({ name }) => name);
      const rows = parsed.map(toRow);
      columns = inferColumns([...accessColumns, ...names], rows).map((column) =>
        typed(column, fields),
      );
      return rows;
    },
    columns: () => columns,
    next: (chunk) => parse(chunk).map(toRow),
  };
}

interface Field {
  readonly name: string;
  readonly unit: string | undefined;
  /** The only number behind the line and without a name: how long the request took, by custom. */
  readonly isBareDuration: boolean;
}

function trailingFields(parsed: readonly Parsed[]): Field[] {
  const units = new Map<string, Set<string | undefined>>();
  const bare = new Map<string, boolean>();
  for (const { trailing } of parsed) {
    for (const { name, unit, value } of trailing) {
      units.set(name, (units.get(name) ?? new Set()).add(unit));
      bare.set(name, (bare.get(name) ?? true) && toNumber(value) !== undefined);
    }
  }
  const numeric = [...bare].filter(([name, isNumber]) => isNumber && name.startsWith('field_'));
  return [...units].map(([name, seen]) => {
    const isBareDuration = numeric.length === 1 && numeric[0]?.[0] === name;
    return { name, unit: seen.size === 1 ? [...seen][0] : undefined, isBareDuration };
  });
}

const textColumns = new Set([
  'client',
  'method',
  'path',
  'endpoint',
  'query',
  'referrer',
  'user_agent',
  'user',
]);

/** What is known of a log's columns from their place rather than from their values. */
function typed(column: Column, fields: readonly Field[]): Column {
  if (textColumns.has(column.name)) return { ...column, type: 'text', unit: undefined };
  if (column.name === 'bytes') return { ...column, type: 'number', unit: 'bytes' };
  if (column.name === 'status') return { ...column, type: 'number' };
  const field = fields.find(({ name }) => name === column.name);
  if (!field) return column;
  if (field.isBareDuration)
    return { ...column, name: 'duration', role: 'duration', unit: field.unit };
  return { ...column, unit: column.unit ?? field.unit ?? unitByCustom(column.name) };
}

/** nginx writes `$request_time` in seconds. */
const unitByCustom = (name: string): string | undefined =>
  ['rt', 'request_time', 'upstream_response_time', 'urt'].includes(name.toLowerCase()) &&
  roleOf(name) === 'duration'
    ? 's'
    : undefined;

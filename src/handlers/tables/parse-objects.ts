import { endpointOf } from './access-log.ts';
import { inferColumns } from './infer-columns.ts';
import { isLogLike } from './log-like.ts';
import { roleOf } from './roles.ts';
import type { Cell, Column, Row } from './table.ts';

/** Columns that one set of objects may have. */
const MAX_COLUMNS = 500;

export type FlatObject = ReadonlyMap<string, Cell>;

/** An object as cells: objects inside by dotted names, lists as JSON text. */
export function flatten(
  value: object,
  prefix = '',
  into = new Map<string, Cell>(),
): Map<string, Cell> {
  for (const [key, inner] of Object.entries(value)) {
    const name = `${prefix}${key}`;
    if (inner === null || ['string', 'number', 'boolean'].includes(typeof inner)) {
      into.set(name, inner as Cell);
    } else if (Array.isArray(inner)) into.set(name, JSON.stringify(inner));
    else if (into.size < MAX_COLUMNS) flatten(inner as object, `${name}.`, into);
  }
  return into;
}

/** Names of all columns of the objects, in the order of appearance. */
export function namesOf(objects: readonly FlatObject[]): string[] {
  const names = new Set<string>();
  for (const object of objects) for (const name of object.keys()) names.add(name);
  return [...names].slice(0, MAX_COLUMNS);
}

/** Rows of the named columns. A log with paths gets a column `endpoint` (see `endpointOf`). */
export function createObjectRows(names: readonly string[]): (object: FlatObject) => Row {
  const path = derivedFrom(names);
  return (object) => {
    const row: Cell[] = names.map((name) => object.get(name) ?? null);
    if (path === undefined) return row;
    const value = object.get(path);
    row.push(typeof value === 'string' ? endpointOf(value) : null);
    return row;
  };
}

/** Columns of such rows, with what their values are. */
export function columnsOfObjects(
  names: readonly string[],
  rows: readonly Row[],
): { columns: Column[]; isLog: boolean } {
  const all = derivedFrom(names) === undefined ? names : [...names, 'endpoint'];
  const columns = inferColumns(all, rows).map((column) =>
    column.index >= names.length
      ? { ...column, isDerived: true }
      : isList(rows, column)
        ? { ...column, type: 'list' as const }
        : column,
  );
  return { columns, isLog: isLogLike(columns) };
}

const isList = (rows: readonly Row[], { index }: Column): boolean =>
  rows.some((row) => typeof row[index] === 'string' && /^\[.*\]$/s.test(row[index])) &&
  rows.every((row) => row[index] === null || /^\[.*\]$/s.test(String(row[index])));

/** The column of paths that an `endpoint` is made of: where a log has paths, and no endpoints of its own. */
export function derivedFrom(names: readonly string[]): string | undefined {
  if (names.some((name) => roleOf(name) === 'endpoint')) return undefined;
  const hasStatus = names.some((name) => ['status', 'duration'].includes(roleOf(name) ?? ''));
  return hasStatus ? names.find((name) => roleOf(name) === 'path') : undefined;
}

import type { SqlParam, SqlParams } from '../process/sql-protocol.ts';

/** Values of a request as a statement binds them. SQLite has no booleans: they are 1 and 0. */
export function boundParams(params: SqlParams): unknown[] {
  const toSql = (value: SqlParam) => (typeof value === 'boolean' ? Number(value) : value);
  if (Array.isArray(params)) return (params as readonly SqlParam[]).map(toSql);
  const entries = Object.entries(params).map(([name, value]) => [
    name.replace(/^[:@$]/, ''),
    toSql(value),
  ]);
  return entries.length === 0 ? [] : [Object.fromEntries(entries)];
}

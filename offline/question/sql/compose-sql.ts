import type { Source } from '../read/grammar.ts';
import { withoutIdleJoins } from '../table/join-tables.ts';
import type { Composed } from './clauses.ts';
import { composeObject } from './compose-object.ts';
import { groupStatement } from './group-statement.ts';
import type { Query } from './query.ts';
import { resolve, withSharedConditions } from './resolve.ts';
import { rowStatement } from './row-statement.ts';

/** Composes the SQL statement. @throws TaskError `NOT_UNDERSTOOD` or `AMBIGUOUS` if its parts do not fit together. */
export function composeSql(query: Query, source: Source): Composed {
  const isObject = query.shape?.isList === false;
  if (isObject && query.measures.length === 0) return composeObject(query, source);
  const resolved = withSharedConditions(resolve(query, source.table));
  const isOfRows = resolved.measures.length === 0;
  const composed = (isOfRows ? rowStatement : groupStatement)(resolved, source);
  const sql = withoutIdleJoins(composed.sql, source.table);
  return { ...composed, sql, isObject: isObject && !isOfRows };
}

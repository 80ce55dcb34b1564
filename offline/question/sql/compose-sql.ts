import { TaskError } from '../../task-error.ts';
import type { Reader } from '../read/reader.ts';
import type { Column } from '../table/schema.ts';
import { composeObject } from './compose-object.ts';
import { groupStatement } from './group-statement.ts';
import type { Query } from './query.ts';
import { resolve, withSharedConditions } from './resolve.ts';
import { rowStatement } from './row-statement.ts';

/** One column of an answer. */
export interface OutputColumn {
  readonly name: string;
  /** The column of the table whose cells it shows unchanged. */
  readonly source: Column | undefined;
  readonly isNumber: boolean;
}

/** A question as one SQL statement. */
export interface Composed {
  readonly sql: string;
  /** Undefined: the statement gives one JSON object. */
  readonly columns: readonly OutputColumn[] | undefined;
  /** How the question was read, as phrases. */
  readonly readAs: readonly string[];
  /** The limit of rows, and the output that they are ordered by. */
  readonly limit?: number | undefined;
  readonly goesBy?: string | undefined;
  /** Whether the only row is one object. */
  readonly isObject?: boolean;
}

/** Composes the statement. @throws TaskError `NOT_UNDERSTOOD` or `AMBIGUOUS` if the parts do not fit together. */
export function composeSql(query: Query, reader: Reader): Composed {
  const isObject = query.shape?.isList === false;
  if (isObject && query.measures.length === 0) return composeObject(query, reader);
  const resolved = withSharedConditions(resolve(query, reader.table));
  const isFirstOfEach = resolved.slice !== undefined && resolved.measures.length === 0;
  return (resolved.groups.length > 0 && !isFirstOfEach) || resolved.measures.length > 0
    ? { ...groupStatement(resolved, reader), isObject }
    : rowStatement(resolved, reader);
}

export const unclear = (problem: string) => new TaskError('NOT_UNDERSTOOD', problem);

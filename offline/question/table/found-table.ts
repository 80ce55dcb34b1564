import type { HandlerContext } from '../../context.ts';
import { placeOf } from './load-tables.ts';
import type { Place } from './place.ts';
import { describeTable, nounsOf, type Table } from './schema.ts';

/** The data of an answered question. */
interface Answered {
  readonly path: string;
  readonly place?: Place;
  readonly sql: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The rows of an earlier answer as a table `found`. Undefined unless there is exactly one such answer. */
export function foundTable({ results }: HandlerContext): Table | undefined {
  const [answered, ...others] = results.flatMap(({ result }) => answerIn(result));
  if (answered === undefined || others.length > 0) return undefined;
  const { path, place = placeOf(path), sql, columns: names, rows: sample } = answered;
  const rows = sample.length;
  const about = { path, place, names, sample, rows, types: {}, nouns: nounsOf(path), notes: [] };
  const table = describeTable({ ...about, sql: 'found', format: 'found' });
  return { ...table, beginning: `WITH found AS (\n${sql}\n)\n` };
}

function answerIn(result: unknown): readonly Answered[] {
  const { data } = (result ?? {}) as { readonly data?: Partial<Answered> };
  const { path, place, sql, columns, rows } = data ?? {};
  // The statement may be written by a person. Only a query can be used in another one.
  const query = sql?.replace(/[\s;]+$/, '') ?? '';
  if (!path || !columns || !rows || !/^(?:select|with|values)\b/i.test(query)) return [];
  return [{ path, ...(place && { place }), sql: query, columns, rows }];
}

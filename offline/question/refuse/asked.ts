import type { Token } from '../../language/lexer.ts';
import { isMeasure, type Measure, type Query, subjectOf, type Value } from '../sql/query.ts';
import type { Column, Table } from '../table/schema.ts';

/** A question, how it was understood, and its statement: what a check may read. */
export interface Asked extends Query {
  readonly tokens: readonly Token[];
  /** Its words in lower case. */
  readonly text: string;
  readonly table: Table;
  readonly sql: string;
  /** The subject, if it is not the rows, and its column. */
  readonly of: Value | undefined;
  readonly own: Column | undefined;
  /** The calculations and that of the rank. */
  readonly figures: readonly Measure[];
  readonly ranksByCount: boolean;
  /** The first word that matches a pattern. */
  readonly word: (pattern: RegExp) => string | undefined;
}

/** Explains why a statement may not mean what was asked. Undefined if it does. */
export type Check = (asked: Asked) => string | undefined;

/** What checks may read about a question. */
export function askedOf(tokens: readonly Token[], query: Query, table: Table, sql: string): Asked {
  const of = subjectOf(query);
  const ranked = isMeasure(query.rank?.by) ? [query.rank.by] : [];
  return {
    ...{ ...query, tokens, table, sql, of, own: of?.column },
    text: tokens.map(({ norm }) => norm).join(' '),
    figures: [...query.measures, ...ranked],
    ranksByCount: ranked.some(({ fn }) => fn === 'count'),
    word: (pattern) => tokens.find(({ kind, norm }) => kind === 'word' && pattern.test(norm))?.text,
  };
}

import type { Token } from '../../language/lexer.ts';
import { isMeasure, type Query, subjectOf } from '../sql/query.ts';
import type { Table } from '../table/schema.ts';

/** A question, how it was understood, and its statement: what a check may read. */
export type Asked = ReturnType<typeof askedOf>;

/** Explains why a statement may not mean what was asked. Undefined if it does. */
export type Check = (asked: Asked) => string | undefined;

/** What checks may read about a question. `of` is its subject, if that is not the rows; `figures` are also ranked by. */
export function askedOf(tokens: readonly Token[], query: Query, table: Table, sql: string) {
  const of = subjectOf(query);
  const ranked = isMeasure(query.rank?.by) ? [query.rank.by] : [];
  return {
    ...{ ...query, tokens, table, sql, of, own: of?.column },
    text: tokens.map(({ norm }) => norm).join(' '),
    figures: [...query.measures, ...ranked],
    ranksByCount: ranked.some(({ fn }) => fn === 'count'),
    /** The first word that matches a pattern. */
    word: (pattern: RegExp): string | undefined =>
      tokens.find(({ kind, norm }) => kind === 'word' && pattern.test(norm))?.text,
  };
}

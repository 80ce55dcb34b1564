import type { Token } from '../language/lexer.ts';
import type { Query } from './sql/query.ts';
import type { Table } from './table/schema.ts';

/** Explains why one row or all rows of each value may be meant. Undefined if that is clear. */
export const ofSomeOrAll = (tokens: readonly Token[], query: Query, table: Table) =>
  neverOfSome(tokens, query, table) ?? besideAll(query) ?? someOrAll(query, table);

/** A condition on all rows of a value, and one that may be about the same rows: `which beds had no kale in July`. */
function besideAll({ where }: Query): string | undefined {
  const all = where.find(({ isOfAll }) => isOfAll);
  const other = where.find(({ isOfAll }) => !isOfAll);
  return all && other
    ? `"${all.words}" is about all rows, and "${other.words}" may be about the same rows. Leave one of them out.`
    : undefined;
}

/** A condition on single rows can't express `never` for a person with several rows: `who has never been late`. */
function neverOfSome(tokens: readonly Token[], query: Query, table: Table): string | undefined {
  const text = tokens.map(({ norm }) => norm).join(' ');
  const only = onlyOf(text, query, table);
  if (only)
    return `"${only}" is about all rows of each one, which can't be compared here. Leave it out.`;
  const [all] = /\bnever\b|n't\b.*\b(?:single|any\w*|at all)\b/.exec(text) ?? [];
  const [not] = /\b(?:have|has|had|did|was|were)(?:n't| not)\b/.exec(text) ?? [];
  const { subject, where } = query;
  const never = all ?? not;
  if (never === undefined || subject === undefined || subject === 'rows') return undefined;
  const isOfDay = where.some(({ sql }) => /date\([^)]*\) = /.test(sql));
  const isOfAll = where.some(({ sql }) => / NOT IN \(SELECT /.test(sql));
  const isOfRow = where.some(({ sql, column }) => {
    if (isOfAll) return /date\(|strftime/.test(sql) && !sql.includes('SELECT');
    if (all) return !sql.includes('EXISTS');
    return !isOfDay && (column?.truth !== undefined || / IS NOT |<> '|\bNOT (?:\(|IN)/.test(sql));
  });
  return isOfRow && subject.column?.values.size !== table.rows
    ? `"${never}" is about all rows of each ${subject.words}, which can't be compared here. Ask for the rows instead.`
    : undefined;
}

/** One row or all rows of each may be meant: `who borrowed Dune and Momo`, `methods without a discount`. */
function someOrAll({ subject, where, groups, measures }: Query, table: Table): string | undefined {
  const isShared = subject !== 'rows' && subject?.column?.values.size !== table.rows;
  if (!subject || subject === 'rows' || !isShared || groups.length + measures.length > 0)
    return undefined;
  if (where.some((one) => one.each))
    return `"and" may mean one or both of these. Say "both … and …", or "… or …".`;
  return where.some(({ sql }) => /^coalesce\(\S+, 0\) = 0$/.test(sql))
    ? `One row or all rows of each ${subject.words} may be meant. Ask for the rows.`
    : undefined;
}

/** `only` or `always` about what somebody with several rows did: `customers who only paid by card`. */
function onlyOf(
  text: string,
  { subject, columns, where }: Query,
  table: Table,
): string | undefined {
  const [, ofDoer] =
    /\b(?:who|that|which)\b(?: \w+){0,3}? (only|always|exclusively)\b/.exec(text) ?? [];
  const [, ofValue] =
    /\w (only|always|exclusively) (?:\w+ed|\w+wn|\w+ght|in|from|by|on|at|with)\b/.exec(text) ?? [];
  const values = [subject, ...columns].flatMap((one) => (one && one !== 'rows' ? one : []));
  const isShared = values.some(({ column }) => column?.values.size !== table.rows);
  const isOfOthers = where.some(({ sql }) => sql.includes('EXISTS'));
  return where.length > 0 && (isShared || isOfOthers) ? (ofDoer ?? ofValue) : undefined;
}

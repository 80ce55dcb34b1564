import type { Condition } from '../sql/query.ts';
import type { Check } from './asked.ts';

/** A condition on all rows of a value, and one that may be about the same rows: `which beds had no kale in July`. */
const besideAll: Check = ({ where }) => {
  const all = where.find(({ isOfAll }) => isOfAll);
  const other = where.find(({ isOfAll }) => !isOfAll);
  return all && other
    ? `"${all.words}" is about all rows, and "${other.words}" may be about the same rows. Leave one of them out.`
    : undefined;
};

/** `only` or `always` about what somebody with several rows did: `customers who only paid by card`. */
const onlyOf: Check = ({ text, of, columns, where, table }) => {
  const said =
    /\b(?:who|that|which)\b(?: \w+){0,3}? (only|always|exclusively)\b/.exec(text) ??
    /\w (only|always|exclusively) (?:\w+ed|\w+wn|\w+ght|in|from|by|on|at|with)\b/.exec(text);
  const values = [...(of ? [of] : []), ...columns];
  const isShared = values.some(({ column }) => column?.values.size !== table.rows);
  const isOfOthers = where.some(({ sql }) => sql.includes('EXISTS'));
  return said && where.length > 0 && (isShared || isOfOthers)
    ? `"${said[1]}" is about all rows of each one, which can't be compared here. Leave it out.`
    : undefined;
};

/** A condition on single rows can't express `never` for a person with several rows: `who has never been late`. */
const neverOfSome: Check = ({ text, of, where, table }) => {
  const [all] = /\bnever\b|n't\b.*\b(?:single|any\w*|at all)\b/.exec(text) ?? [];
  const [not] = /\b(?:have|has|had|did|was|were)(?:n't| not)\b/.exec(text) ?? [];
  const never = all ?? not;
  if (never === undefined || of === undefined || of.column?.values.size === table.rows)
    return undefined;
  const isOfDay = where.some(({ sql }) => /date\([^)]*\) = /.test(sql));
  const isOfAll = where.some(({ sql }) => / NOT IN \(SELECT /.test(sql));
  const isOfRow = where.some(({ sql, column }) => {
    if (isOfAll) return /date\(|strftime/.test(sql) && !sql.includes('SELECT');
    if (all) return !sql.includes('EXISTS');
    return !isOfDay && (column?.truth !== undefined || / IS NOT |<> '|\bNOT (?:\(|IN)/.test(sql));
  });
  return isOfRow
    ? `"${never}" is about all rows of each ${of.words}, which can't be compared here. Ask for the rows instead.`
    : undefined;
};

/** One row or all rows of each may be meant: `who borrowed Dune and Momo`, `methods without a discount`. */
const someOrAll: Check = ({ text, of, where, groups, measures, table }) => {
  const isShared = of && of.column?.values.size !== table.rows;
  if (!isShared || groups.length + measures.length > 0) return undefined;
  const isSame = (one: Condition, other: Condition) =>
    one.value !== undefined && one.column === other.column && one.value !== other.value;
  const isBoth = / and /.test(text) && where.some((one) => where.some((own) => isSame(one, own)));
  if (isBoth || where.some((one) => one.each))
    return `"and" may mean one or both of these. Say "both … and …", or "… or …".`;
  return where.some(({ sql }) => /^coalesce\(\S+, 0\) = 0$/.test(sql))
    ? `One row or all rows of each ${of.words} may be meant. Ask for the rows.`
    : undefined;
};

/** Checks that it is clear whether one row or all rows of each value are meant. */
export const quantityChecks: readonly Check[] = [onlyOf, neverOfSome, besideAll, someOrAll];

import type { Token } from '../../../language/lexer.ts';
import { isMeasure } from '../../sql/query.ts';
import type { Column } from '../../table/schema.ts';
import type { Source } from '../grammar.ts';
import { isVerbOf } from '../times/time-columns.ts';

/** Whether a word belongs to the name of a used column and is not a condition: `paid the fee`, with a column `fee_paid`. */
export function isOfUsedColumn(at: number, { tokens, query, table }: Source): boolean {
  const token = tokens[at] as Token;
  const { stem } = token;
  const { where, measures, groups, columns, rank } = query;
  const by = isMeasure(rank?.by) ? rank.by.of : rank?.by;
  const values = [...measures.map(({ of }) => of), ...groups, ...columns, by];
  const named = table.columns.filter(({ words }) => words.includes(stem));
  // `which did we buy in 2024`, with a column `bought`
  const isVerb = ({ isTime, words: [word = ''] }: Column) => isTime && isVerbOf(word, token);
  if (named.length === 0 && where.some(({ part }) => part?.column && isVerb(part.column)))
    return true;
  const own = named;
  const isIn = (all: readonly ({ readonly column?: Column | undefined } | undefined)[]) =>
    own.every((one) => one.words.length > 1 && all.some((used) => used?.column === one));
  const isCondition =
    /^(?:no|not|non|never|without|\w*ed|paid|open|\w+en)$/.test(stem) ||
    table.columns.some((one) => one.values.has(stem));
  return (
    own.length > 0 &&
    (isIn(where) ||
      // `received per month`: a row without this time is in no month.
      own.every((one) => groups.some(({ part, column: time }) => part && time === one)) ||
      (!isCondition && isIn(values)))
  );
}

/** `in total` and `on average` without such a calculation: a limit per row would be mistaken for one of the total. */
export function unusedTotal({ query, tokens }: Source): readonly Token[] {
  const { measures, having, rank } = query;
  const fns = [...measures, ...having.map(({ measure: one }) => one), rank?.by].flatMap((one) =>
    isMeasure(one) ? one.fn : [],
  );
  return tokens.filter(({ norm }, at) => {
    const [lead, limit] = [tokens[at - 1]?.norm, tokens[at - 2]?.kind];
    if (norm === 'average' && lead === 'on') return !fns.some((fn) => /avg|median/.test(fn));
    if (/^(?:altogether|overall)$/.test(norm)) return fns.length === 0;
    if (norm !== 'total' || lead !== 'in') return false;
    return limit === 'number' ? !fns.some((fn) => /sum|count/.test(fn)) : fns.length === 0;
  });
}

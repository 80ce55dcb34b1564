import type { Direction, Measure } from '../sql/query.ts';
import { moneyOf, moneyVerbs, tradeVerbs } from './money.ts';
import { eatExpression } from './read-measure.ts';
import { eatRowNoun } from './read-names.ts';
import { attempt, eat, type Reader, skip } from './reader.ts';

/** `which customer spent the most`, `paid the least money`: by the sum of the money. */
export function spentMost(reader: Reader): true | undefined {
  const { query } = reader;
  const verb = eat(reader, moneyVerbs);
  if (verb === undefined || query.rank) return undefined;
  skip(reader, ['the']);
  const direction = eat(reader, ['most']) ? 'desc' : eat(reader, ['least']) ? 'asc' : undefined;
  eat(reader, ['money', 'in total', 'overall', 'altogether']);
  const of = direction && moneyOf(reader, verb);
  if (!direction || !of) return undefined;
  if (isRowsOrNothing(query.subject)) {
    // `who earns the most`: each row is somebody.
    if (!/^earn/.test(verb)) return undefined;
    query.subject = 'rows';
    query.rank = { direction, word: 'most', by: of, count: query.subjectCount ?? 1 };
    return true;
  }
  ranked(reader, { direction, word: 'most', measure: { fn: 'sum', of, where: [], name: verb } });
  return true;
}

/** `which product sold the most units`: by the sum of a column of numbers. */
export function soldMost(reader: Reader): true | undefined {
  const { query } = reader;
  if (!eat(reader, tradeVerbs) || query.rank || isRowsOrNothing(query.subject)) return undefined;
  skip(reader, ['the']);
  const word = eat(reader, ['most', 'least', 'fewest']);
  if (word === undefined) return undefined;
  skip(reader, ['total']);
  const of = eatExpression(reader);
  if (!of || (of.column && !of.column.isNumber)) return undefined;
  const direction = word === 'most' ? 'desc' : 'asc';
  ranked(reader, {
    direction,
    word,
    measure: { fn: 'sum', of, where: [], name: `total ${of.words}` },
  });
  return true;
}

/** `spend on average per order`: the mean of the money of a row. */
export function spentOnAverage(reader: Reader): Measure | undefined {
  const verb = eat(reader, moneyVerbs);
  if (verb === undefined || !eat(reader, ['on average'])) return undefined;
  const of = moneyOf(reader, verb);
  if (!of) return undefined;
  attempt(reader, (inner) => (eat(inner, ['per', 'for each']) && eatRowNoun(inner)) || undefined);
  return { fn: 'avg', of, where: [], name: `average ${of.words}` };
}

const isRowsOrNothing = (subject: Reader['query']['subject']) =>
  subject === undefined || subject === 'rows';

function ranked(
  { query }: Reader,
  {
    direction,
    word,
    measure,
  }: { readonly direction: Direction; readonly word: string; readonly measure: Measure },
): void {
  const count = query.subjectCount ?? (query.subjectIsPlural ? undefined : 1);
  query.rank = { direction, word, by: measure, count };
}

import { allOf } from './all-of.ts';
import type { Measure } from './query.ts';

/** SQL of a measure. */
export function measureSql({ fn, of, percent, where }: Measure, extra = ''): string {
  const test = [...allOf(where).map(({ sql }) => sql), ...(extra === '' ? [] : [extra])].join(
    ' AND ',
  );
  const filter = test === '' ? '' : ` FILTER (WHERE ${test})`;
  const value = of?.sql ?? '*';
  switch (fn) {
    case 'count':
      return `count(*)${filter}`;
    case 'distinct':
      return `count(DISTINCT ${value})${filter}`;
    case 'share':
      return `round(100.0 * count(*)${filter} / count(*), 2)`;
    case 'percentile':
      return `percentile(${value}, ${percent})${filter}`;
    case 'spread':
      return `max(${value})${filter} - min(${value})${filter}`;
    default:
      return `${fn}(${value})${filter}`;
  }
}

const fnWords: Readonly<Record<string, string>> = {
  count: 'number of rows',
  sum: 'sum of',
  avg: 'mean of',
  median: 'median of',
  min: 'smallest',
  max: 'largest',
  stddev: 'standard deviation of',
  distinct: 'number of different',
  spread: 'largest minus smallest',
};

export function measureWords({ fn, of, percent, where }: Measure): string {
  const of_ = of ? ` ${of.words}` : '';
  const head =
    fn === 'share'
      ? 'percentage of rows'
      : fn === 'percentile'
        ? `${percent}th percentile of${of_}`
        : `${fnWords[fn] ?? fn}${of_}`;
  return where.length === 0
    ? head
    : `${head} where ${allOf(where)
        .map(({ words }) => words)
        .join(' and ')}`;
}

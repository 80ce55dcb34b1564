import { allOf, fnWords, type Measure, orNull, sqlOfAll } from './query.ts';

/** SQL of a calculation. */
export function measureSql({ fn, of, percent, where }: Measure): string {
  const test = sqlOfAll(where);
  const filter = test === '' ? '' : ` FILTER (WHERE ${test})`;
  const value =
    of === undefined ? '*' : /^(?:min|max|distinct|spread)$/.test(fn) ? orNull(of) : of.sql;
  switch (fn) {
    case 'count':
      return `count(*)${filter}`;
    case 'distinct':
      return `count(DISTINCT ${of?.key ?? value})${filter}`;
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

export function measureWords({ fn, of, percent, where }: Measure): string {
  const head = `${percent ?? ''}${fnWords[fn]}${of ? ` ${of.words}` : ''}`;
  const words = allOf(where).map((one) => one.words);
  return words.length === 0 ? head : `${head} where ${words.join(' and ')}`;
}

/** Whether its values are numbers of rows, which are never rounded. */
export const isCounting = ({ fn }: Measure): boolean => fn === 'count' || fn === 'distinct';

export const rounded = (measure: Measure, decimals: number | undefined): string => {
  const sql = measureSql(measure);
  if (decimals === undefined || isCounting(measure)) return sql;
  return decimals === 0 ? `CAST(round(${sql}) AS INTEGER)` : `round(${sql}, ${decimals})`;
};

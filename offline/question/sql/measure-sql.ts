import { allOf, fnWords, type Measure, orNull, sqlOfAll } from './query.ts';

/** A calculation as SQL. */
export function measureSql({ fn, of, percent, per, where }: Measure): string {
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
      return shareSql(of === undefined ? 'count(*)' : `sum(${of.sql})`, filter);
    case 'percentile':
      return `percentile(${value}, ${percent})${filter}`;
    case 'ratio':
      return percent
        ? `${percent}.0 * sum(${value})${filter} / sum(${per?.sql})${filter}`
        : ratioSql(value, per?.sql ?? '', test);
    case 'spread':
      return `max(${value})${filter} - min(${value})${filter}`;
    default:
      return `${fn}(${value})${filter}`;
  }
}

/** The share of those that fit in their group; without a condition, the share of a group in all groups. */
const shareSql = (figure: string, filter: string): string =>
  `round(100.0 * ${figure}${filter} / ${filter === '' ? `sum(${figure}) OVER ()` : figure}, 2)`;

/** Of the rows that have both. */
function ratioSql(of: string, per: string, test: string): string {
  const both = [`${of} IS NOT NULL AND ${per} IS NOT NULL`, ...(test === '' ? [] : [`(${test})`])];
  const filter = ` FILTER (WHERE ${both.join(' AND ')})`;
  return `1.0 * sum(${of})${filter} / sum(${per})${filter}`;
}

/** A calculation in words: `sum of amount where country is DE`. */
export function measureWords({ fn, of, percent, per, where }: Measure): string {
  const head = `${percent ?? ''}${fn === 'ratio' && percent ? ' times ' : ''}${fnWords[fn]}${of && fn === 'share' ? ', by' : ''}${of ? ` ${of.words}` : ''}${per ? ` divided by sum of ${per.words}` : ''}`;
  const words = allOf(where).map((one) => one.words);
  return words.length === 0 ? head : `${head} where ${words.join(' and ')}`;
}

/** Whether a calculation counts. Counts are never rounded. */
export const isCounting = ({ fn }: Measure): boolean => fn === 'count' || fn === 'distinct';

/** A calculation as SQL, rounded to a number of decimals. */
export const rounded = (measure: Measure, decimals: number | undefined): string => {
  const sql = measureSql(measure);
  if (decimals === undefined || isCounting(measure)) return sql;
  return decimals === 0 ? `CAST(round(${sql}) AS INTEGER)` : `round(${sql}, ${decimals})`;
};

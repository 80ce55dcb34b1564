import { escaped } from '../../language/escape.ts';
import type { Column, RawTable } from './schema.ts';

/** The nouns for a row: those in the name of the file or table, and that of its key. */
export const rowNouns = (
  { nouns, rows, sample }: Pick<RawTable, 'nouns' | 'rows' | 'sample'>,
  columns: readonly Column[],
): ReadonlySet<string> =>
  new Set([
    ...nouns.flatMap((noun) =>
      /^\w{3,}(?:in|out|up|off)$/.test(noun) ? noun.replace(/(?:in|out|up|off)$/, '-$&') : [],
    ),
    ...nouns.filter((noun) => !isColumnOf(noun, columns, sample.length)),
    ...keyNouns(columns, rows),
    ...titleNouns(columns, rows),
  ]);

/** `book`, `song`: what a row with a title of its own is by its other columns. A loan or a review may repeat the title. */
function titleNouns(columns: readonly Column[], rows: number): readonly string[] {
  const has = (name: string) => columns.some(({ words }) => words.includes(name));
  const isOwn = columns.some(
    ({ words, values }) => words.join(' ') === 'title' && values.size === rows,
  );
  return isOwn ? [...(has('author') ? ['book'] : []), ...(has('artist') ? ['song'] : [])] : [];
}

/** Whether a noun means a column, not a row: `hours` of hours.csv are added up, a `concert` may have several rows. */
const isColumnOf = (noun: string, columns: readonly Column[], rows: number): boolean =>
  columns.some(
    ({ name, words, isNumber, isTime, values, isPart }) =>
      (words.join(' ') === noun &&
        (isNumber ? name.toLowerCase() !== noun : !isTime && values.size < rows)) ||
      (isPart && values.has(noun)) ||
      (values.size < rows && isNumbered({ isNumber, isTime, values }, noun)),
  );

/** Whether the values of a column are a noun and a number: `oven-1`. */
export const isNumbered = (
  { isNumber, isTime, values }: Pick<Column, 'isNumber' | 'isTime' | 'values'>,
  noun: string,
): boolean =>
  noun.length > 2 &&
  !isNumber &&
  !isTime &&
  values.size > 1 &&
  [...values].every((text) => new RegExp(`^${escaped(noun)}[-_ #]?\\d+$`, 'i').test(text));

/** The noun of a key in the first column: `order` for `Order No`. */
function keyNouns([first]: readonly Column[], rows: number): readonly string[] {
  const [noun = '', kind = '', ...more] = first?.words ?? [];
  const isKey =
    more.length === 0 &&
    /^(?:id|no|nr|number|code|)$/.test(kind) &&
    !first?.isTime &&
    !plainKeys.test(noun);
  return isKey && rows > 1 && first?.values.size === rows && noun.length > 1 ? [noun] : [];
}

const plainKeys = /^(?:id|name|title|date|time|line|label|key|email|path|url|number|code|no|nr)$/;

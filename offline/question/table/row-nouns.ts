import type { Column, RawTable } from './schema.ts';

/** The nouns for a row: those of the file or table that no column says, and that of its key. */
export const rowNouns = (
  { nouns, rows, sample }: Pick<RawTable, 'nouns' | 'rows' | 'sample'>,
  columns: readonly Column[],
): ReadonlySet<string> =>
  new Set([
    ...nouns.filter((noun) => !isColumnOf(noun, columns, sample.length)),
    ...keyNouns(columns, rows),
    ...kinds.flatMap(([noun, names]) =>
      names.every((name) => columns.some(({ words }) => words.includes(name))) ? noun : [],
    ),
  ]);

/** What a row is by its columns. */
const kinds: readonly (readonly [noun: string, names: readonly string[]])[] = [
  ['book', ['title', 'author']],
  ['song', ['title', 'artist']],
];

/** Whether a column says it already: `hours` of hours.csv are added up, and a `concert` of concerts.csv has several rows. */
const isColumnOf = (noun: string, columns: readonly Column[], rows: number): boolean =>
  columns.some(
    ({ name, words, isNumber, isTime, values }) =>
      words.join(' ') === noun &&
      (isNumber ? name.toLowerCase() !== noun : !isTime && values.size < rows),
  );

/** `order` of a first column `Order No` with a number for each row. */
function keyNouns([first]: readonly Column[], rows: number): readonly string[] {
  const [noun = '', kind = '', ...more] = first?.words ?? [];
  const isKey =
    more.length === 0 &&
    /^(?:id|no|nr|number|code|)$/.test(kind) &&
    !first?.isTime &&
    !plainKeys.test(noun);
  return isKey && first?.values.size === rows && noun !== '' ? [noun] : [];
}

const plainKeys = /^(?:id|name|title|date|time|line|label|key|email|path|url|number|code|no|nr)$/;

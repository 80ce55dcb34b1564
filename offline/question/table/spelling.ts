/** How the cells of a column are written, if SQLite does not read them as they stand. */
export interface Spelling {
  readonly kind: 'time' | 'number';
  /** SQL of the value of a cell. */
  readonly sqlOf: (cell: string) => string;
  /** The value of a cell as SQLite reads it. */
  readonly textOf: (cell: string) => string;
}

const date = /^(\d\d?)([./-])(\d\d?)\2(\d{4})(?:[ ,T]+(\d\d:\d\d(?::\d\d)?))?$/;

/** `31.12.2026`, `31/12/2026`, `12/31/2026`: undefined if the order of day and month can't be told. */
function dates(values: readonly string[]): Spelling | undefined {
  const all = values.map((value) => date.exec(value));
  if (!all.every((one) => one !== null)) return undefined;
  const isOver = (at: number) => all.some((one) => Number(one[at]) > 12);
  const isDayFirst = isOver(1) || all.every((one) => one[2] === '.');
  const isWide = all.every((one) => one[1]?.length === 2 && one[3]?.length === 2);
  if (isDayFirst === isOver(3) || !isWide) return undefined;
  const [month, day] = isDayFirst ? [4, 1] : [1, 4];
  return {
    kind: 'time',
    sqlOf: (cell) =>
      `substr(${cell}, 7, 4) || '-' || substr(${cell}, ${month}, 2) || '-' || substr(${cell}, ${day}, 2) || substr(${cell}, 11)`,
    textOf: (cell) =>
      `${cell.slice(6, 10)}-${cell.slice(month - 1, month + 1)}-${cell.slice(day - 1, day + 1)}${cell.slice(10)}`,
  };
}

const currency = /^(?:EUR|USD|GBP|CHF|[$€£])\s?|\s?(?:EUR|USD|GBP|CHF|[$€£%])$/;

/** `1,312.76`, `1.312,76`, `49,81`, `€12.50`, `12 %`: undefined if it can't be told whether a comma is decimal. */
function numbers(values: readonly string[]): Spelling | undefined {
  const bare = values.map((value) => value.replace(currency, ''));
  const marks = [...new Set(values.map((value) => currency.exec(value)?.[0] ?? ''))].filter(
    Boolean,
  );
  const allFit = (pattern: RegExp) => bare.every((value) => pattern.test(value));
  const isGrouped = allFit(/^-?\d{1,3}(?:,\d{3})*(?:\.\d+)?$|^-?\d+(?:\.\d+)?$/);
  const isDecimal = allFit(/^-?\d{1,3}(?:\.\d{3})*(?:,\d+)?$|^-?\d+(?:,\d+)?$/);
  const isMoney = isGrouped && marks.length === 1 && !bare.some((value) => /\.\d{3}$/.test(value));
  if (marks.length > 1 || (isGrouped === isDecimal && !isMoney)) return undefined;
  const gone = [...marks, isGrouped ? ',' : '.'];
  const strip = (cell: string) =>
    gone.reduce((sql, mark) => `replace(${sql}, '${mark}', '')`, cell);
  const dotted = (cell: string) => (isGrouped ? cell : `replace(${cell}, ',', '.')`);
  return {
    kind: 'number',
    sqlOf: (cell) => `CAST(${dotted(strip(`nullif(${cell}, '')`))} AS REAL)`,
    textOf: (cell) => {
      const digits = gone.reduce((text, mark) => text.replaceAll(mark, ''), cell);
      return isGrouped ? digits : digits.replace(',', '.');
    },
  };
}

/** How all of these cells are written; undefined if that is not clear, or if SQLite reads them as they stand. */
export const spellingOf = (values: readonly string[]): Spelling | undefined =>
  values.length === 0 ? undefined : (dates(values) ?? numbers(values));

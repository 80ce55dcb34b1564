import { type Unit, units } from '../../language/lexicon.ts';

/** The format of the cells of a column, if SQLite can't calculate with it. */
export interface Spelling {
  readonly kind: 'time' | 'number';
  /** Converts the SQL of a cell to SQL of its value. */
  readonly sqlOf: (cell: string) => string;
  /** Converts a cell to the value that SQLite would return. */
  readonly textOf: (cell: string) => string;
  readonly unit?: Unit | undefined;
}

const inDigits = /^(\d\d)([./-])(\d\d)\2(\d{4}|\d\d)(?:[ ,T]+(\d\d:\d\d(?::\d\d)?))?$/;

const yearFirst = /^\d{4}([./])\d\d\1\d\d(?:[ T]+\d\d:\d\d(?::\d\d)?)?$/;

const monthNames = 'JanFebMarAprMayJunJulAugSepOctNovDec';

const withName = new RegExp(`^\\d\\d[ -](?:${monthNames.match(/.../g)?.join('|')})[ -]\\d{4}$`);

/** The positions, from 1, of the parts of dates such as `31.12.2026`, `12/31/26` or `31 Dec 2026`. Undefined if it is not clear which number is the day. */
function layoutOf(values: readonly string[]) {
  const full = { century: '', rest: 11 };
  if (values.every((value) => yearFirst.test(value))) return { year: 1, month: 6, day: 9, ...full };
  if (values.every((value) => withName.test(value)))
    return { day: 1, month: 4, year: 8, century: '', rest: 12 };
  if (!values.every((value) => inDigits.test(value))) return undefined;
  const all = values.flatMap((value) => [inDigits.exec(value) ?? []]);
  const isOver = (at: number) => all.some((one) => Number(one[at]) > 12);
  const isDayFirst = isOver(1) || all.every((one) => one[2] === '.');
  if (isDayFirst === isOver(3)) return undefined;
  const order = isDayFirst ? { day: 1, month: 4, year: 7 } : { month: 1, day: 4, year: 7 };
  if (all.every((one) => one[4]?.length === 4)) return { ...order, ...full };
  // The year `65` may be 1965.
  const isClear = all.every((one) => /^(?:1[5-9]|[23]\d)$/.test(one[4] ?? ''));
  return isClear ? { ...order, century: '20', rest: 9 } : undefined;
}

function dates(values: readonly string[]): Spelling | undefined {
  const layout = layoutOf(values);
  if (!layout) return undefined;
  const { day, month, year, rest, century } = layout;
  const digits = 4 - century.length;
  const isNamed = rest === 12;
  const part = (cell: string, from: number, length = 2) => cell.slice(from - 1, from - 1 + length);
  const nameAt = (cell: string) => String(monthNames.indexOf(part(cell, month, 3)) / 3 + 1);
  return {
    kind: 'time',
    // An empty cell becomes NULL.
    sqlOf: (cell) => {
      const monthSql = isNamed
        ? `printf('%02d', (instr('${monthNames}', substr(${cell}, ${month}, 3)) + 2) / 3)`
        : `substr(${cell}, ${month}, 2)`;
      const yearSql = `${century === '' ? '' : `'${century}' || `}substr(nullif(${cell}, ''), ${year}, ${digits})`;
      return `${yearSql} || '-' || ${monthSql} || '-' || substr(${cell}, ${day}, 2) || substr(${cell}, ${rest})`;
    },
    textOf: (cell) =>
      `${century}${part(cell, year, digits)}-${isNamed ? nameAt(cell).padStart(2, '0') : part(cell, month)}-${part(cell, day)}${cell.slice(rest - 1)}`,
  };
}

const currency = /^(?:EUR|USD|GBP|CHF|[$€£])\s?|\s?(?:EUR|USD|GBP|CHF|[$€£%])$/;

/** Numbers such as `1,312.76`, `1.312,76`, `€12.50` or `12 %`. Undefined if it is not clear what a comma means. */
function numbers(values: readonly string[]): Spelling | undefined {
  const bareOf = (value: string) => value.replace(currency, '');
  const allFit = (pattern: RegExp) => values.every((value) => pattern.test(bareOf(value)));
  const isGrouped = allFit(/^-?\d{1,3}(?:,\d{3})*(?:\.\d+)?$|^-?\d+(?:\.\d+)?$/);
  const isDecimal = allFit(/^-?\d{1,3}(?:\.\d{3})*(?:,\d+)?$|^-?\d+(?:,\d+)?$/);
  if (!isGrouped && !isDecimal) return undefined;
  const marks = [...new Set(values.map((value) => currency.exec(value)?.[0] ?? ''))].filter(
    Boolean,
  );
  const isMoney =
    isGrouped && marks.length === 1 && !values.some((value) => /\.\d{3}$/.test(bareOf(value)));
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

const ofDurations =
  /^(?!.*\b(?:start|departure|arrival|opens|closes|at)\b).*\b(?:time|duration|took|elapsed|finish|result|lap|split|pace)\b/;

/** Durations such as `1:24:46`, in seconds. With two digits for the hour, or by the name of the column, they may be times of day. */
function durations(values: readonly string[], name: string): Spelling | undefined {
  const isClear = values.every((value) => /^\d:\d\d:\d\d$/.test(value)) && ofDurations.test(name);
  if (!isClear) return undefined;
  const part = (cell: string, from: number, length: number) =>
    `substr(${cell}, ${from}, ${length})`;
  return {
    kind: 'number',
    // An empty cell becomes NULL.
    sqlOf: (cell) =>
      `(3600 * ${part(`nullif(${cell}, '')`, 1, 1)} + 60 * ${part(cell, 3, 2)} + ${part(cell, 6, 2)})`,
    textOf: (cell) =>
      String(cell.split(':').reduce((seconds, digits) => 60 * seconds + Number(digits), 0)),
    unit: units.get('second'),
  };
}

/** The format of all of these cells of a column with these words as its name. Undefined if it is not clear, or if SQLite can calculate with them. */
export const spellingOf = (values: readonly string[], name: string): Spelling | undefined =>
  values.length === 0 ? undefined : (dates(values) ?? durations(values, name) ?? numbers(values));

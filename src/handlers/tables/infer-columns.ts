import { unitOfName } from './access-log.ts';
import { roleOf } from './roles.ts';
import type { Cell, Column, ColumnType, Row } from './table.ts';

/** Distinct values kept per column, to find them in a question. */
const MAX_VALUES = 5_000;
const MAX_VALUE_CHARS = 200;

/** Spellings of "no value" in text formats. */
const missing = new Set(['', 'na', 'n/a', 'nan', 'null', 'none', '-', '?']);

/** Whether a cell holds nothing. Applies to numeric columns; in text columns only the empty cell is nothing. */
export const isMissing = (cell: Cell | undefined): boolean =>
  cell === null ||
  cell === undefined ||
  (typeof cell === 'string' && missing.has(cell.trim().toLowerCase()));

const numberPattern = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const groupedPattern = /^[+-]?([$€£])?\s?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?$/;

/** A cell as a number: plain, with a currency sign, or with thousands separated by commas. Undefined where it is none. */
export function toNumber(cell: Cell | undefined): number | undefined {
  if (typeof cell === 'number') return cell;
  if (typeof cell !== 'string') return undefined;
  const text = cell.trim();
  if (numberPattern.test(text)) return Number(text);
  const grouped = groupedPattern.exec(text);
  if (!grouped) return undefined;
  const value = Number(`${(grouped[2] ?? '').replaceAll(',', '')}${grouped[3] ?? ''}`);
  return text.startsWith('-') ? -value : value;
}

const isoPattern =
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(?:Z|UTC|[+-]\d\d:?\d\d)?)?$/;
const slashPattern = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: (\d{1,2}):(\d\d)(?::(\d\d))?)?$/;
const yearFirstPattern = /^(\d{4})\/(\d\d?)\/(\d\d?)(?: (\d\d:\d\d(?::\d\d)?))?$/;

const isTime = (text: string): boolean =>
  isoPattern.test(text) || slashPattern.test(text) || yearFirstPattern.test(text);

/** A cell as `YYYY-MM-DD HH:MM:SS`, on the clock that it was written by. Undefined where it is no date. */
export function toTime(cell: Cell | undefined, order: Column['dateOrder']): string | undefined {
  if (typeof cell !== 'string') return undefined;
  const text = cell.trim();
  if (isoPattern.test(text))
    return fullTime(text.slice(0, 10), text.slice(11).match(/^[\d:]+/)?.[0] ?? '');
  const yearFirst = yearFirstPattern.exec(text);
  if (yearFirst)
    return fullTime(dateText(yearFirst[1], yearFirst[2], yearFirst[3]), yearFirst[4] ?? '');
  const slash = slashPattern.exec(text);
  if (!slash) return undefined;
  const [, first, second, year, hour, minute, seconds] = slash;
  const date =
    order === 'day first' ? dateText(year, second, first) : dateText(year, first, second);
  const clock = hour === undefined ? '' : `${two(hour)}:${minute}:${seconds ?? '00'}`;
  return fullTime(date, clock);
}

const two = (digits: string | undefined): string => (digits ?? '').padStart(2, '0');
const dateText = (
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string => `${year}-${two(month)}-${two(day)}`;
const fullTime = (date: string, clock: string): string =>
  `${date} ${clock === '' ? '00:00:00' : `${clock}:00`.slice(0, 8)}`;

/** What was seen of one column. */
interface Seen {
  numbers: number;
  times: number;
  texts: number;
  lists: number;
  padded: boolean;
  dayOver12: boolean;
  monthOver12: boolean;
  slashed: boolean;
  sign: string | undefined;
  values: Set<string> | undefined;
}

/** Infers types, units, roles and distinct values from rows. Padded numbers such as `00123` are text. */
export function inferColumns(names: readonly string[], rows: readonly Row[]): Column[] {
  return names.map((name, index) => {
    const seen = look(rows, index);
    const type = typeOf(seen);
    return {
      name,
      index,
      type,
      unit: type === 'number' ? (unitOfName(name) ?? seen.sign) : undefined,
      role: roleOf(name),
      dateOrder: type === 'time' && seen.slashed ? orderOf(seen) : undefined,
      values: seen.values,
    };
  });
}

function look(rows: readonly Row[], index: number): Seen {
  const seen: Seen = {
    numbers: 0,
    times: 0,
    texts: 0,
    lists: 0,
    padded: false,
    dayOver12: false,
    monthOver12: false,
    slashed: false,
    sign: undefined,
    values: new Set(),
  };
  for (const row of rows) note(seen, row[index]);
  return seen;
}

function note(seen: Seen, cell: Cell | undefined): void {
  if (cell === null || cell === undefined || cell === '') return;
  noteValue(seen, String(cell));
  if (typeof cell === 'number') seen.numbers += 1;
  else if (typeof cell === 'string') noteText(seen, cell.trim());
  else seen.texts += 1;
}

function noteText(seen: Seen, text: string): void {
  if (missing.has(text.toLowerCase())) return;
  if (toNumber(text) !== undefined) {
    seen.numbers += 1;
    seen.padded ||= /^[+-]?(?:0\d|\d{16,}$)/.test(text);
    seen.sign ??= /[$€£]/.exec(text)?.[0];
  } else if (isTime(text)) {
    seen.times += 1;
    noteSlashes(seen, text);
  } else seen.texts += 1;
}

function noteSlashes(seen: Seen, text: string): void {
  const slash = slashPattern.exec(text);
  if (!slash) return;
  seen.slashed = true;
  seen.dayOver12 ||= Number(slash[1]) > 12;
  seen.monthOver12 ||= Number(slash[2]) > 12;
}

function noteValue(seen: Seen, value: string): void {
  if (!seen.values || value.length > MAX_VALUE_CHARS) return;
  seen.values.add(value);
  if (seen.values.size > MAX_VALUES) seen.values = undefined;
}

function typeOf(seen: Seen): ColumnType {
  const { numbers, times, texts } = seen;
  if (numbers > 0 && times + texts === 0) return seen.padded ? 'text' : 'number';
  if (times > 0 && numbers + texts === 0)
    return seen.dayOver12 && seen.monthOver12 ? 'text' : 'time';
  return numbers > texts + times ? 'mixed' : 'text';
}

function orderOf(seen: Seen): Column['dateOrder'] {
  if (seen.dayOver12) return 'day first';
  return seen.monthOver12 ? 'month first' : 'unclear';
}

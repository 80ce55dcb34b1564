import { parse } from 'node:path';
import type { Unit } from '../../language/lexicon.ts';
import { truthOf } from '../../language/truth.ts';
import { nameWords } from '../../language/words.ts';
import type { Value } from '../sql/query.ts';
import { quoteName, quoteText } from '../sql/quote.ts';
import { elementsOf, parsed } from './json-cells.ts';
import type { Place } from './place.ts';
import { rowNouns } from './row-nouns.ts';
import { type Span, spansOf } from './spans.ts';
import { spellingOf } from './spelling.ts';

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** Its value, as SQL. */
  readonly sql: string;
  /** The same with a prefix for column names, such as `orders.`, for a statement with several tables. */
  readonly sqlIn: (prefix: string) => string;
  /** SQL of the cell as it is written, if that is not its value. */
  readonly shown?: string | undefined;
  readonly words: readonly string[];
  readonly isNumber: boolean;
  /** The unit of durations such as `1:24:46`. */
  readonly unit?: Unit | undefined;
  readonly isBoolean: boolean;
  /** Its values for true and false, such as `yes` and `no`. Undefined if it has others. */
  readonly truth: readonly [yes: string, no: string] | undefined;
  /** Whether its values are dates or times that SQLite can read. */
  readonly isTime: boolean;
  /** A cell of a numeric column that is not a number, so that calculations would be wrong. */
  readonly odd: string | undefined;
  /** Whether it is a foreign key. */
  readonly isLink?: boolean;
  /** Whether its numbers name the rows: `pitch` of pitches.csv. */
  readonly isKey?: boolean;
  /** In a joined table, SQL of the key of the row: two customers may have the same name. */
  readonly key?: string | undefined;
  /** In a joined table, SQL of the foreign key to its row. */
  readonly link?: string | undefined;
  /** In a joined table, the noun for its row and SQL of its key, if some rows may refer to none. */
  readonly owner?: { readonly noun: string; readonly key: string } | undefined;
  /** Whether its cells are JSON lists. `values` has their elements. */
  readonly isList?: boolean;
  /** Whether it is a part of another column, so that `*` does not have it. */
  readonly isPart?: boolean;
  /** Whether a cell of the first rows is empty. */
  readonly hasEmpty?: boolean;
  /** Values of the first rows, as text. */
  readonly values: ReadonlySet<string>;
}

/** A table as a question sees it. */
export interface Table {
  /** Its name in SQL. */
  readonly sql: string;
  /** The file or database that it is in. */
  readonly path: string;
  readonly place: Place;
  /** The list of a JSON file that has its rows. */
  readonly list?: string | undefined;
  /** The beginning of its statements: a `WITH` clause. */
  readonly beginning?: string;
  readonly format: string;
  readonly columns: readonly Column[];
  /** First and last name together. */
  readonly fullName?: Column | undefined;
  /** The nouns for a row, in the singular. */
  readonly nouns: ReadonlySet<string>;
  readonly rows: number;
  /** Whether `values` has the values of all rows. */
  readonly isWhole: boolean;
  readonly isLog: boolean;
  /** The formula of money, if the sentence has one: `stock times price`. */
  readonly money?: Value | undefined;
  /** The name of the column that a time means, if there are several. */
  readonly time?: string;
  /** Possible meanings of `how long`. */
  readonly spans: readonly Span[];
  /** The declared foreign keys. */
  readonly keys?: readonly Declared[];
  /** The tables that refer to this one. */
  readonly related?: readonly Related[];
  /** The joins in its SQL, each after those that it needs. */
  readonly joins?: readonly { readonly to: string; readonly from: string; readonly sql: string }[];
  /** Sentences about lines and cells that could not be read. */
  readonly notes: readonly string[];
}

/** A foreign key: table, column, other table, its column. */
export type Declared = readonly [table: string, column: string, target: string, key: string];

/** A table that refers to another one. */
export interface Related {
  /** The noun for its rows, in the singular. */
  readonly noun: string;
  /** Its foreign key to the other table, directly or through a third one. */
  readonly by: Column;
  /** The nouns of the other tables that it refers to: `training` for attendances. */
  readonly objects: ReadonlySet<string>;
  /** Whether it refers to it directly. */
  readonly isNear: boolean;
  /** The table, with its name in front of the names of columns. */
  readonly table: Table;
  /** SQL from FROM on: its rows that refer to the row of the other table. */
  readonly sql: string;
}

const isoTime = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** What is known of a table before its columns are described. */
export interface RawTable
  extends Pick<Table, 'sql' | 'path' | 'place' | 'format' | 'rows' | 'notes'> {
  readonly names: readonly string[];
  /** The detected or declared type of each column. */
  readonly types: Readonly<Record<string, string>>;
  readonly sample: readonly (readonly unknown[])[];
  readonly nouns: readonly string[];
  /** By numeric column, a cell that is not a number. */
  readonly odd?: ReadonlyMap<string, string>;
}

/** Describes a table by its first rows. */
export function describeTable(raw: RawTable): Table {
  const { sql, path, place, format, names, sample, rows, notes } = raw;
  const isWhole = sample.length >= rows;
  const columns = names.flatMap((name, at) => {
    const cells = sample.map((row) => row[at]);
    // A log without users or referrers has `-` in these columns.
    if (format === 'access_log' && cells.every((cell) => cell === '-' || cell === null)) return [];
    const odd = raw.odd?.get(name);
    const found = columnOf(name, raw.types[name] ?? '', cells);
    // A cell after the first rows may be empty.
    const column = { ...found, hasEmpty: found.hasEmpty || !isWhole, odd };
    const isOfSources = format === 'log' && name === 'message' && isWhole;
    const parts = isOfSources ? messageParts(cells) : undefined;
    return parts ?? [column, ...nestedColumns(column, cells)];
  });
  // Only some lines of a program's log may be requests.
  const has = (...wanted: readonly string[]) =>
    columns.some(
      (own) => wanted.includes(own.name.toLowerCase()) && !(format === 'log' && own.hasEmpty),
    );
  const nouns = rowNouns(raw, columns);
  const [first] = columns;
  const isKey = first?.isNumber && first.values.size === rows && nouns.has(first.words.join(' '));
  if (first && isKey) columns[0] = { ...first, isKey };
  const writtenIn = ({ name }: Column) => sample.map((row) => row[names.indexOf(name)]);
  const cellsOf = (own: Column) => {
    const cells = writtenIn(own).map((cell) => String(cell ?? ''));
    const full = cells.filter((cell) => cell !== '');
    const spelling = own.shown && spellingOf(full, own.words.join(' '));
    return spelling ? cells.map((cell) => (cell === '' ? cell : spelling.textOf(cell))) : cells;
  };
  return {
    ...{ sql, path, place, format, rows, notes, columns, spans: spansOf(columns, cellsOf) },
    fullName: fullNameOf(columns, writtenIn),
    isWhole,
    isLog:
      format === 'access_log' ||
      (columns.some(({ name, isNumber }) => isNumber && /^status(?:_code)?$/i.test(name)) &&
        has('path', 'url', 'uri', 'method')),
    nouns,
  };
}

/** The first and last name of a row as one column: `Ann Lee`. */
function fullNameOf(
  columns: readonly Column[],
  cellsOf: (column: Column) => readonly unknown[],
): Column | undefined {
  const named = (name: RegExp) => columns.find(({ words }) => name.test(words.join(' ')));
  const first = named(/^(?:first|given) ?name$/);
  const last = named(/^(?:last name|surname|family name)$/);
  if (!first || !last) return undefined;
  const sqlIn = (prefix: string) => `(${first.sqlIn(prefix)} || ' ' || ${last.sqlIn(prefix)})`;
  const lasts = cellsOf(last);
  const values = new Set(cellsOf(first).map((name, at) => `${name} ${lasts[at]}`));
  return { ...first, name: 'full name', words: ['full', 'name'], sqlIn, sql: sqlIn(''), values };
}

/** Maximum number of columns for the fields of JSON objects. */
const MAX_NESTED = 20;

/** Columns for the fields of JSON objects in a column: `at.city`. */
function nestedColumns({ name, sqlIn }: Column, cells: readonly unknown[]): Column[] {
  const objects = cells
    .filter((cell) => typeof cell === 'string' && cell.startsWith('{'))
    .map((cell) => parsed(String(cell)));
  const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))].slice(0, MAX_NESTED);
  return keys.map((key) => {
    const values = objects.map((object) => object[key]);
    const type = values.every((value) => typeof value === 'number') ? 'real' : 'text';
    const column = columnOf(`${name}.${key}`, type, values);
    const sqlOf = (prefix: string) => `${sqlIn(prefix)} ->> ${quoteText(`$.${key}`)}`;
    return { ...withSql(column, sqlOf), isPart: true };
  });
}

/** Maximum number of different messages that are compared. */
const MAX_TEXTS = 300;

/** The messages that neither are in another one nor contain it: `slow` may be only one of those about slowness. */
function apart(texts: ReadonlySet<string>): ReadonlySet<string> {
  const all = texts.size > MAX_TEXTS ? [] : [...texts];
  const isIn = (one: string, other: string) => one.includes(other) || other.includes(one);
  return new Set(all.filter((one) => !all.some((other) => other !== one && isIn(one, other))));
}

/** Messages that all begin with their source, as two columns: `oven-1: door open`, `oven-1 door open`. Undefined for others. */
function messageParts(cells: readonly unknown[], joint = ': '): Column[] | undefined {
  const source = joint === ': ' ? '[\\p{L}_][\\w./-]*' : '\\p{L}+-\\d+';
  const begins = new RegExp(`^(${source})${joint}(.+)`, 'su');
  const pairs = cells.map((cell) => begins.exec(String(cell)) ?? []);
  const [sources, texts] = [1, 2].map((at) => pairs.map((pair) => pair[at]));
  if (!sources?.every(Boolean) || !texts || new Set(sources).size * 2 > cells.length)
    return joint === ' ' ? undefined : messageParts(cells, ' ');
  const end = (prefix: string) => `instr(${prefix}message, '${joint}')`;
  const textOf = (prefix: string) => `substr(${prefix}message, ${end(prefix)} + ${joint.length})`;
  const sourceOf = (prefix: string) => `substr(${prefix}message, 1, ${end(prefix)} - 1)`;
  const text = columnOf('message', 'text', texts);
  const values = joint === ' ' ? apart(text.values) : text.values;
  return [
    { ...withSql(text, textOf), values, shown: 'message' },
    { ...withSql(columnOf('source', 'text', sources), sourceOf), isPart: true },
  ];
}

const asWritten = { sqlOf: (cell: string) => cell, textOf: (cell: string) => cell };

const withSql = (column: Column, sqlIn: Column['sqlIn']): Column => ({
  ...{ ...column, sqlIn, sql: sqlIn('') },
});

function columnOf(name: string, type: string, cells: readonly unknown[]): Column {
  const full = cells.filter((cell) => cell !== null && cell !== '');
  const written = [...new Set(full.map(String))];
  const isIso = written.length > 0 && written.every((value) => isoTime.test(value));
  const isDeclared = /int|real|num|dec|float|doub/i.test(type);
  const isPlain =
    !isIso &&
    (type === ''
      ? written.length > 0 &&
        written.every((value) => value.trim() !== '' && Number.isFinite(Number(value)))
      : isDeclared);
  const words = nameWords(name);
  const spelling = isIso || isPlain ? undefined : spellingOf(written, words.join(' '));
  const elements = elementsOf(written);
  const cell = quoteName(name);
  const { sqlOf, textOf } = spelling ?? asWritten;
  const sqlIn = (prefix: string) => sqlOf(`${prefix}${cell}`);
  return {
    ...{ name, sqlIn, sql: sqlIn(''), shown: spelling && cell, words },
    isList: elements !== undefined,
    ...{ values: new Set(elements ?? written.map(textOf)), unit: spelling?.unit },
    isNumber: isPlain || spelling?.kind === 'number',
    isTime: isIso || spelling?.kind === 'time',
    isBoolean: /bool/i.test(type),
    truth: /bool/i.test(type) ? ['true', 'false'] : truthOf(name, written),
    hasEmpty: full.length < cells.length,
    odd: undefined,
  };
}

/** Names of columns that number the rows of their table. */
export const serial = /^(?:id|no|nr|num|number|line|row|key|index|position)$/;

const naming = /^(?:id|no|nr|isbn|year|born|vip|version|code|status|port|zip|postcode|phone)$/;

/** Whether numbers are names or dates of rows, which have no size: `member_no`, `birth_year`, `port`. */
export const isCode = ({ words, isLink, isKey }: Column): boolean =>
  isLink === true ||
  isKey === true ||
  /^(?:no|nr|num|number|id|isbn|code|year|port|zip|postcode|phone)$/.test(words.at(-1) ?? '');

/** Whether a column has amounts, not names such as ids and years. */
export const isAmount = ({ isNumber, isKey, truth, words }: Column): boolean =>
  isNumber &&
  !isKey &&
  !truth &&
  !serial.test(words.join(' ')) &&
  !words.some((word) => naming.test(word));

/** The nouns in the name of a file or table: `order` for `orders.csv`. */
export const nounsOf = (name: string): string[] => {
  const words = nameWords(parse(name).name.replace(/\d+$/, ''));
  return words.filter(
    (word) =>
      word.length > 1 && !/^(?:\d+|v\d+|my|of|to|in|on|by|the|and|for|all|new|old)$/.test(word),
  );
};

/** The names of the columns for a message, at most 40. */
export function columnList({ columns }: Pick<Table, 'columns'>): string {
  const names = columns.map(({ name }) => name);
  const more = names.length > 40 ? `, and ${names.length - 40} more` : '';
  return `${names.slice(0, 40).join(', ')}${more}`;
}

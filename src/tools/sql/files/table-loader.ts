import type { Database } from 'better-sqlite3';
import { type Cell, codeOf } from './cell-value.ts';
import { affinityOf, type ColumnPlan, ColumnStats, type LoadedColumn } from './column.ts';
import {
  type CellOptions,
  ColumnCells,
  fixedColumn,
  type KeepText,
  type RowPlace,
} from './column-cells.ts';
import { FileProblem } from './file-problem.ts';
import { createInserter, quoteName, type RowInserter } from './insert-rows.ts';

export interface TableTarget {
  readonly db: Database;
  readonly schema: 'main' | 'temp';
  readonly name: string;
  /** Its number in `cell_text`. */
  readonly id: number;
}

export interface LoaderOptions extends CellOptions {
  /** Columns whose type the format defines. */
  readonly fixed?: ReadonlyMap<string, 'text' | 'datetime'>;
}

/** Has the original text of the cells that their column would print differently. */
export const CELL_TEXT = 'cell_text';

/** Types of columns by name. */
export type Plans = ReadonlyMap<string, ColumnPlan>;

/** The types of the first rows are not the types of all rows. */
export class TypesChanged extends Error {
  readonly plans: Plans;

  constructor(plans: Plans) {
    super('types changed');
    this.plans = plans;
  }
}

/** Fills one table row by row. */
export interface TableLoader {
  /** The current file, if there are several. */
  file: string | undefined;
  /** Adds the columns of a header, or checks that a further file has the same ones. Returns them in the order of the table. */
  headerOf(names: readonly string[], file: string): readonly string[];
  /** The position of a column. Adds it if there is none of this name. */
  place(name: string): number;
  /** @param line The first line of the row in its file. */
  add(cells: readonly Cell[], line: number): void;
  rows(): number;
  /** @throws TypesChanged */
  end(): readonly LoadedColumn[];
}

interface LoaderParts {
  readonly target: TableTarget;
  readonly options: LoaderOptions;
  /** Types from an earlier pass over all rows. */
  readonly known: Plans | undefined;
  /** The name of the column with the file of each row. Undefined: there is none. */
  readonly fileColumn: string | undefined;
}

/** Rows from which the first types are decided. */
const SAMPLE_ROWS = 500;
const MAX_COLUMNS = 1_000;

const TEXT: ColumnPlan = { type: 'text', decimals: 0 };

type Column = Pick<ColumnCells, keyof ColumnCells>;

interface HeldRow {
  readonly cells: readonly Cell[];
  readonly line: number;
  readonly file: string | undefined;
}

/**
 * Types are decided from the first rows, and checked against all rows at the end. A number is stored as a number. The
 * original text of a cell goes to `cell_text` if its column would print it differently.
 */
export function createTableLoader(parts: LoaderParts): TableLoader {
  const { target, options, known, fileColumn } = parts;
  const table = `${target.schema}.${quoteName(target.name)}`;
  const columns: Column[] = [];
  const places = new Map<string, number>();
  const keepText = textKeeper(target);
  let held: HeldRow[] | undefined = [];
  let fileName: string | undefined;
  let inserter: RowInserter | undefined;
  let header: readonly string[] | undefined;
  const place: RowPlace = { row: 0, line: 0, file: undefined };

  const namesOf = () => [...columns.map(({ name }) => name), ...(fileName ? [fileName] : [])];
  const insert = ({ cells, line, file }: HeldRow) => {
    inserter ??= createInserter(target.db, table, namesOf());
    Object.assign(place, { row: place.row + 1, line, file });
    // Runs for every row: an index is faster than an iterator.
    for (let at = 0; at < columns.length; at += 1)
      inserter.push(columns[at]?.take(cells[at], place));
    if (fileName !== undefined) inserter.push(file);
    inserter.endRow();
  };
  const begin = () => {
    const rows = held;
    if (rows === undefined) return;
    if (columns.length === 0) addColumn('value');
    held = undefined;
    if (known === undefined) guess(columns, rows, options);
    fileName = fileColumn && freeName(fileColumn, namesOf());
    target.db.exec(`CREATE TABLE ${table} (${declarations(columns, fileName)})`);
    for (const row of rows) insert(row);
  };
  const addColumn = (name: string): number => {
    const at = columns.length;
    const shown = freeName(name, namesOf());
    const column = newColumn(name, shown, parts, (row, text) => keepText(at, row, text));
    inserter?.flush();
    inserter = undefined;
    columns.push(column);
    places.set(name, at);
    if (held !== undefined) return at;
    target.db.exec(`ALTER TABLE ${table} ADD COLUMN ${declaration(column)}`);
    column.noteMissing(place.row);
    return at;
  };
  const headerOf: TableLoader['headerOf'] = (names, file) => {
    if (header !== undefined) return assertSameHeader(names, header, file);
    for (const name of names) addColumn(name);
    header = names;
    return names;
  };

  return {
    file: undefined,
    headerOf,
    place: (name) => places.get(name) ?? addColumn(name),
    add(cells, line) {
      const row = { cells, line, file: this.file };
      if (held === undefined) insert(row);
      else if (held.push(row) >= SAMPLE_ROWS) begin();
    },
    rows: () => place.row,
    end() {
      begin();
      inserter?.flush();
      assertSameTypes(columns);
      if (fileName !== undefined) columns.push(fixedColumn(fileName, 'text'));
      return columns.map((column) => column.loaded());
    },
  };
}

function newColumn(
  name: string,
  shown: string,
  { options, known }: LoaderParts,
  keepText: KeepText,
): Column {
  const fixed = options.fixed?.get(name);
  if (fixed !== undefined) return fixedColumn(shown, fixed);
  return new ColumnCells(shown, known?.get(shown) ?? TEXT, options, keepText);
}

function textKeeper({ db, id }: TableTarget) {
  const insert = db.prepare(
    `INSERT INTO temp.${CELL_TEXT} (table_id, column_id, row, text) VALUES (?, ?, ?, ?)`,
  );
  return (column: number, ...[row, text]: Parameters<KeepText>) =>
    void insert.run(id, column, row, text);
}

/** SQLite ignores the case of names: a second `id` becomes `id_2`. */
function freeName(name: string, others: readonly string[]): string {
  if (others.length >= MAX_COLUMNS) throw new Error(`there are more than ${MAX_COLUMNS} columns`);
  const taken = new Set(others.map((other) => other.toLowerCase()));
  const base = name.trim().replaceAll('\0', '') || `column_${others.length + 1}`;
  let shown = base;
  for (let n = 2; taken.has(shown.toLowerCase()); n += 1) shown = `${base}_${n}`;
  return shown;
}

const declaration = ({ name, plan }: Column): string =>
  `${quoteName(name)} ${affinityOf[plan.type]}`;

function declarations(columns: readonly Column[], fileName: string | undefined): string {
  const declared = columns.map(declaration);
  if (fileName !== undefined) declared.push(`${quoteName(fileName)} TEXT`);
  return declared.join(', ');
}

function guess(
  columns: readonly Column[],
  rows: readonly HeldRow[],
  { isTyped, fixed }: LoaderOptions,
): void {
  for (const [at, column] of columns.entries()) {
    if (fixed?.has(column.name)) continue;
    const stats = new ColumnStats();
    for (const { cells } of rows) stats.note(codeOf(cells[at], isTyped));
    column.plan = stats.plan(isTyped);
  }
}

function assertSameHeader(
  names: readonly string[],
  header: readonly string[],
  file: string,
): readonly string[] {
  const sorted = (list: readonly string[]) => JSON.stringify([...list].sort());
  if (sorted(names) === sorted(header)) return header;
  const problem = `its columns (${names.join(', ')}) are not those of the other files (${header.join(', ')}); make it a separate table`;
  throw new FileProblem(file, problem);
}

/** @throws TypesChanged */
function assertSameTypes(columns: readonly Column[]): void {
  const plans = new Map(columns.map((column) => [column.name, column.finalPlan()]));
  const isSame = columns.every(({ name, plan }) => plans.get(name)?.type === plan.type);
  if (!isSame) throw new TypesChanged(plans);
}

import type { Database, Statement } from 'better-sqlite3';
import type { RowTarget } from '../formats/reader.ts';
import { FileProblem, type SourceFile } from '../formats/text-chunks.ts';
import { affinityOf } from './column.ts';
import { type Cell, ColumnCells, type LoaderOptions } from './column-cells.ts';

export interface TableTarget {
  readonly db: Database;
  readonly schema: 'main' | 'temp';
  readonly name: string;
  /** Its number in `cell_text`. */
  readonly id: number;
}

/** Has the original text of the cells that their column would print differently. */
export const CELL_TEXT = 'cell_text';

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Rows and lines that do not have their format. */
export interface Malformed {
  readonly count: number;
  /** The first ones. */
  readonly rows: readonly {
    readonly file?: string;
    readonly line: number;
    readonly problem: string;
  }[];
}

interface LoaderParts {
  readonly target: TableTarget;
  readonly options: LoaderOptions;
  /** Whether a column names the file of each row. */
  readonly hasFileColumn: boolean;
  /** Whether the rows are kept in memory until the types are known, if they are few. */
  readonly keepsRows: boolean;
}

interface Row {
  readonly cells: readonly Cell[];
  readonly line: number;
  readonly file: SourceFile;
}

/** Rows of one INSERT: most of the time goes into calls of SQLite. */
const BATCH_ROWS = 8;
const MAX_COLUMNS = 1_000;
/** Rows with more cells than this, together, are read a second time: each takes memory, also an empty one. */
const MAX_KEPT_CELLS = 1_000_000;
const MAX_LISTED = 10;

/**
 * Fills one table from rows that come twice, unless it keeps them: first to find the columns and their types, then to be
 * inserted. A number is stored as a number. The original text of a cell goes to `cell_text` if its column would print it
 * differently.
 */
export class TableLoader implements RowTarget {
  file: SourceFile = { fd: -1, shown: '' };
  private readonly parts: LoaderParts;
  private readonly columns: ColumnCells[] = [];
  private readonly places = new Map<string, number>();
  /** The columns whose types are not known yet. */
  private readonly open: number[] = [];
  private kept: Row[] | undefined;
  private keptCells = 0;
  private batch: unknown[] = [];
  private readonly malformed = { count: 0, rows: [] as Malformed['rows'][number][] };
  private header: readonly string[] | undefined;
  private insert: ((rows: number) => Statement) | undefined;
  private full: Statement | undefined;
  private rows = 0;

  constructor(parts: LoaderParts) {
    this.parts = parts;
    if (parts.keepsRows) this.kept = [];
  }

  headerOf(names: readonly string[]): readonly string[] {
    if (this.header !== undefined) return assertSameHeader(names, this.header, this.file.shown);
    for (const name of names) this.places.set(name, this.addColumn(name));
    this.header = names;
    return names;
  }

  place(name: string): number {
    const known = this.places.get(name);
    if (known !== undefined) return known;
    const at = this.addColumn(name);
    this.places.set(name, at);
    return at;
  }

  add(cells: readonly Cell[], line: number): void {
    const { columns, batch } = this;
    if (this.full === undefined) {
      for (const at of this.open) columns[at]?.count(cells[at]);
      this.kept?.push({ cells, line, file: this.file });
      this.keptCells += cells.length;
      if (this.keptCells > MAX_KEPT_CELLS) this.kept = undefined;
      return;
    }
    this.rows += 1;
    const file = this.shownFile();
    const place = { row: this.rows, line, file };
    for (let at = 0; at < columns.length; at += 1) {
      const cell = cells[at];
      const column = columns[at];
      batch.push(typeof cell === 'string' && column?.isText ? cell : column?.take(cell, place));
    }
    if (file !== undefined) batch[batch.length - 1] = file;
    if (batch.length < columns.length * BATCH_ROWS) return;
    this.full.run(batch);
    this.batch = [];
  }

  reject(line: number, problem: string): void {
    if (this.insert !== undefined) return;
    const { malformed } = this;
    malformed.count += 1;
    const file = this.shownFile();
    if (malformed.rows.length < MAX_LISTED)
      malformed.rows.push({ ...(file !== undefined && { file }), line, problem });
  }

  /** Decides the types, creates the table, and inserts the kept rows. False if they must come again. */
  fill(): boolean {
    const { target, hasFileColumn } = this.parts;
    const { columns } = this;
    if (columns.length === 0) this.addColumn('value');
    if (hasFileColumn) this.addColumn('file', 'text');
    const declarations = columns.map(
      (column) => `${quoteName(column.name)} ${affinityOf[column.decide().type]}`,
    );
    const table = `${target.schema}.${quoteName(target.name)}`;
    target.db.exec(`CREATE TABLE ${table} (${declarations.join(', ')})`);
    const row = `(${columns.map(() => '?').join(',')})`;
    this.insert = (rows) =>
      target.db.prepare(`INSERT INTO ${table} VALUES ${Array(rows).fill(row).join(',')}`);
    this.full = this.insert(BATCH_ROWS);
    const { kept } = this;
    this.kept = undefined;
    for (const { cells, line, file } of kept ?? []) {
      this.file = file;
      this.add(cells, line);
    }
    return kept !== undefined;
  }

  loaded() {
    const { rows, malformed, columns, batch } = this;
    if (batch.length > 0) this.insert?.(batch.length / columns.length).run(batch);
    return { rows, malformed, columns: columns.map((column) => column.loaded()) };
  }

  private shownFile(): string | undefined {
    return this.parts.hasFileColumn ? this.file.shown : undefined;
  }

  private addColumn(name: string, fixed = this.parts.options.fixed?.get(name)): number {
    if (this.insert !== undefined) throw new FileProblem(this.file.shown, CHANGED);
    const { target, options } = this.parts;
    const at = this.columns.length;
    const keep = target.db.prepare(
      `INSERT INTO temp.${CELL_TEXT} (table_id, column_id, row, text) VALUES (${target.id}, ${at}, ?, ?)`,
    );
    const keepText = (row: number, text: string | null) => void keep.run(row, text);
    const shown = freeName(name, this.columns);
    if (fixed === undefined) this.open.push(at);
    this.columns.push(new ColumnCells(shown, { ...options, fixed }, keepText));
    return at;
  }
}

const CHANGED = 'it changed while it was read; try again';

/** SQLite ignores the case of names: a second `id` becomes `id_2`. */
function freeName(name: string, others: readonly ColumnCells[]): string {
  if (others.length >= MAX_COLUMNS) throw new Error(`there are more than ${MAX_COLUMNS} columns`);
  const taken = new Set(others.map((other) => other.name.toLowerCase()));
  const base = name.trim().replaceAll('\0', '') || `column_${others.length + 1}`;
  let shown = base;
  for (let n = 2; taken.has(shown.toLowerCase()); n += 1) shown = `${base}_${n}`;
  return shown;
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

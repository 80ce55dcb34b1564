import { NumberText } from '../formats/json-values.ts';
import { classify, classifyString, decimalsOf, isPlain, Kind, kindOf } from './cell.ts';
import { type ColumnPlan, ColumnStats, type LoadedColumn, type OddCell } from './column.ts';

/** A cell of a file. Undefined: the row has no such cell. */
export type Cell = string | NumberText | boolean | null | undefined;

/** The type of a column that the format defines. */
type FixedType = 'text' | 'datetime';

/** What the format of a table defines. */
export interface LoaderOptions {
  /** Whether the cells have types (JSON). */
  readonly isTyped: boolean;
  /** The meaning of a NULL in a column of numbers or booleans: an empty cell, or no such cell in the row. */
  readonly nullIs: 'empty' | 'missing';
  /** Columns whose type is known, by name. */
  readonly fixed?: ReadonlyMap<string, FixedType>;
}

interface ColumnOptions extends Omit<LoaderOptions, 'fixed'> {
  readonly fixed: FixedType | undefined;
}

/** The row of a cell: its number in the table, and its place in a file. */
interface RowPlace {
  readonly row: number;
  readonly line: number;
  readonly file: string | undefined;
}

/** Keeps the original text of a cell; null: the row has no such cell. */
type KeepText = (row: number, text: string | null) => void;

const MAX_LISTED = 5;
const MAX_SHOWN_CHARS = 80;

/** Converts the cells of one column to values of the table. */
export class ColumnCells {
  readonly name: string;
  /** Whether a text is stored as it is. */
  isText = true;
  private plan: ColumnPlan = { type: 'text', decimals: 0 };
  private readonly options: ColumnOptions;
  private readonly keepText: KeepText;
  private readonly stats = new ColumnStats();
  private respelled = 0;
  /** NULLs with the other meaning than `nullIs`. */
  private unusualNulls = 0;
  private odd = 0;
  private readonly oddCells: OddCell[] = [];

  constructor(name: string, options: ColumnOptions, keepText: KeepText) {
    this.name = name;
    this.options = options;
    this.keepText = keepText;
  }

  /** Notes the kind of a cell, from which the type of a column without a fixed one is decided. */
  count(cell: Cell): void {
    this.stats.note(codeOf(cell, this.options.isTyped));
  }

  decide(): ColumnPlan {
    const { fixed, isTyped } = this.options;
    this.plan = fixed ? { type: fixed, decimals: 0 } : this.stats.plan(isTyped);
    this.isText = !/^(?:integer|real|boolean|mixed)$/.test(this.plan.type);
    return this.plan;
  }

  /** The value of a cell in the table. The original text is kept if the column would print it differently. */
  take(cell: Cell, place: RowPlace): unknown {
    const { type } = this.plan;
    if (this.isText) return textOrNull(cell);
    const code = codeOf(cell, this.options.isTyped);
    if (type === 'boolean') return this.boolean(cell, code, place);
    return type === 'mixed' ? this.mixed(cell, code, place) : this.number(cell, code, place);
  }

  loaded(): LoadedColumn {
    const { name, plan, respelled, unusualNulls, odd, options, stats } = this;
    const isStored = plan.type !== 'integer' && plan.type !== 'real' && plan.type !== 'boolean';
    const isEmptyNull =
      !isStored && options.nullIs === 'empty' && (stats.counts[Kind.empty] ?? 0) > 0;
    return {
      ...plan,
      name,
      isTyped: options.isTyped,
      isSpelled: plan.type !== 'mixed' && (plan.decimals > 0 || respelled > 0),
      nullText: isEmptyNull ? '' : null,
      needsRow: respelled + unusualNulls + odd > 0 || isEmptyNull,
      exceptions: { count: odd, cells: this.oddCells },
    };
  }

  private number(cell: Cell, code: number, place: RowPlace): unknown {
    const kind = kindOf(code);
    const text = textOrNull(cell) ?? '';
    const { decimals, type } = this.plan;
    if (kind === Kind.grouped && type === 'real') {
      this.respell(text, place);
      return Number(text.replaceAll(',', ''));
    }
    if (kind !== Kind.integer && kind !== Kind.real) return this.noValue(cell, kind, place);
    const isPrinted = decimals === 0 ? isPlain(code) : decimalsOf(code) === decimals;
    if (!isPrinted || (type === 'real' && isTooLong(text, kind))) this.respell(text, place);
    return numberOf(text, kind);
  }

  private boolean(cell: Cell, code: number, place: RowPlace): unknown {
    if (kindOf(code) !== Kind.boolean) return this.noValue(cell, kindOf(code), place);
    const text = textOrNull(cell) ?? '';
    if (text !== 'true' && text !== 'false') this.respell(text, place);
    return text.trim().toLowerCase() === 'true' ? 1 : 0;
  }

  private mixed(cell: Cell, code: number, place: RowPlace): unknown {
    const isOdd = typeof cell === 'boolean' || (cell instanceof NumberText && !isPlain(code));
    if (isOdd) this.respell(textOrNull(cell) ?? '', place);
    return mixedValue(cell, code);
  }

  private respell(text: string, { row }: RowPlace): void {
    this.respelled += 1;
    this.keepText(row, text);
  }

  /** A cell without a value of the column's type becomes NULL. */
  private noValue(cell: Cell, kind: Kind, place: RowPlace): null {
    const text = kind === Kind.missing ? null : textOrNull(cell);
    const usual = this.options.nullIs === 'empty' ? '' : null;
    if (text === usual) return null;
    if (text === null || text === '') this.unusualNulls += 1;
    else this.noteOdd(text, place);
    this.keepText(place.row, text);
    return null;
  }

  private noteOdd(text: string, { line, file }: RowPlace): void {
    this.odd += 1;
    if (this.oddCells.length >= MAX_LISTED) return;
    const isLong = text.length > MAX_SHOWN_CHARS;
    const shown = isLong ? `${text.slice(0, MAX_SHOWN_CHARS - 1)}…` : text;
    this.oddCells.push({ ...(file !== undefined && { file }), line, text: shown });
  }
}

/** A whole number with more digits than a double holds. */
const isTooLong = (text: string, kind: Kind): boolean =>
  kind === Kind.integer && text.length > 15 && String(Number(text)) !== text;

/** @param isTyped A text is never a number (JSON). */
function codeOf(cell: Cell, isTyped: boolean): number {
  if (typeof cell === 'string') return isTyped ? classifyString(cell) : classify(cell);
  if (cell === null || cell === undefined) return Kind.missing;
  if (cell instanceof NumberText) return classify(cell.text);
  return Kind.boolean;
}

function textOrNull(cell: Cell): string | null {
  if (typeof cell === 'string') return cell;
  if (cell === null || cell === undefined) return null;
  return typeof cell === 'boolean' ? String(cell) : cell.text;
}

/** Doubles have fifteen digits; the affinity of the column turns whole ones into integers. */
const numberOf = (text: string, kind: Kind): unknown =>
  kind === Kind.integer && text.length > 15 ? BigInt(text.trim().replace('+', '')) : Number(text);

/** A value of a `mixed` column. Booleans are 1 and 0, as in SQLite's JSON functions. */
function mixedValue(cell: Cell, code: number): unknown {
  if (typeof cell === 'boolean') return BigInt(cell);
  if (!(cell instanceof NumberText)) return textOrNull(cell);
  return kindOf(code) === Kind.integer ? BigInt(cell.text) : Number(cell.text);
}

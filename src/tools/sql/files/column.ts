import { decimalsOf, isPlain, Kind, kindOf } from './cell.ts';

/** `mixed`: numbers and texts of JSON. */
type ColumnType = 'integer' | 'real' | 'boolean' | 'date' | 'datetime' | 'time' | 'text' | 'mixed';

/** How a column is stored, decided from its cells. */
export interface ColumnPlan {
  readonly type: ColumnType;
  /** Decimals with which each number is printed; 0: as JavaScript prints it. */
  readonly decimals: number;
}

/** One cell in five may be of another type. */
const MIN_TYPED_SHARE = 0.8;

/** Counts the kinds of cells in one column. */
export class ColumnStats {
  readonly counts = new Int32Array(12);
  private decimals = -1;
  private isFixed = true;
  private isEveryPlain = true;

  note(code: number): void {
    const kind = kindOf(code);
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    if (kind !== Kind.real && kind !== Kind.integer) return;
    if (!isPlain(code)) this.isEveryPlain = false;
    const decimals = decimalsOf(code);
    if (this.decimals === -1) this.decimals = decimals;
    if (decimals === 0 || decimals !== this.decimals) this.isFixed = false;
  }

  /** @param isTyped Whether the cells have types (JSON). */
  plan(isTyped: boolean): ColumnPlan {
    return {
      type: this.type(isTyped),
      decimals: this.isEveryPlain || !this.isFixed ? 0 : this.decimals,
    };
  }

  private type(isTyped: boolean): ColumnType {
    const of = (...kinds: Kind[]) =>
      kinds.reduce<number>((sum, kind) => sum + (this.counts[kind] ?? 0), 0);
    const { integer, real, grouped, boolean, date, datetime, time, identifier, text } = Kind;
    const isPointed = of(real) > 0;
    const numbers = of(integer, real, ...(isPointed ? [grouped] : []));
    const values = of(integer, real, grouped, boolean, date, datetime, time, identifier, text);
    const isMost = (count: number) => count > 0 && count >= values * MIN_TYPED_SHARE;
    if (isMost(numbers) && of(identifier) === 0) return isPointed ? 'real' : 'integer';
    if (isTyped && numbers + of(boolean) > 0 && of(boolean) < values) return 'mixed';
    if (of(boolean) > 0 && of(boolean) === values) return 'boolean';
    if (isMost(of(date))) return 'date';
    if (isMost(of(date, datetime))) return 'datetime';
    return isMost(of(time)) ? 'time' : 'text';
  }
}

/** The SQLite affinity of each type. */
export const affinityOf: Readonly<Record<ColumnType, string>> = {
  integer: 'INTEGER',
  real: 'REAL',
  boolean: 'INTEGER',
  date: 'TEXT',
  datetime: 'TEXT',
  time: 'TEXT',
  text: 'TEXT',
  mixed: '',
};

/** A cell that does not have the type of its column. */
export interface OddCell {
  readonly file?: string;
  readonly line: number;
  readonly text: string;
}

/** A column as it was loaded. */
export interface LoadedColumn extends ColumnPlan {
  readonly name: string;
  readonly isTyped: boolean;
  /** Whether JavaScript would print some number differently: then its cells are returned as text. */
  readonly isSpelled: boolean;
  /** The original text of a NULL without an entry in `cell_text`. */
  readonly nullText: '' | null;
  /** Whether the original text of some cells is stored by row. */
  readonly needsRow: boolean;
  readonly exceptions: { readonly count: number; readonly cells: readonly OddCell[] };
}

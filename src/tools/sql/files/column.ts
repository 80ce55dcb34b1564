import { decimalsOf, isPlain, Kind, kindOf } from './cell.ts';

/** `mixed`: numbers and texts of JSON, each as it is. */
export type ColumnType =
  | 'integer'
  | 'real'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'time'
  | 'text'
  | 'mixed';

/** How a column is stored, decided from its cells. */
export interface ColumnPlan {
  readonly type: ColumnType;
  /** Decimals with which each number is printed; 0: as JavaScript prints it. */
  readonly decimals: number;
}

/** A number column may have one cell in five that is none. */
const MIN_TYPED_SHARE = 0.8;

/** Counts what the cells of one column are. */
export class ColumnStats {
  readonly counts = new Int32Array(11);
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

  /** @param isTyped The cells have types of their own (JSON). */
  plan(isTyped: boolean): ColumnPlan {
    return {
      type: this.type(isTyped),
      decimals: this.isEveryPlain || !this.isFixed ? 0 : this.decimals,
    };
  }

  private type(isTyped: boolean): ColumnType {
    const of = (...kinds: Kind[]) =>
      kinds.reduce<number>((sum, kind) => sum + (this.counts[kind] ?? 0), 0);
    const { integer, real, boolean, date, datetime, time, identifier, text } = Kind;
    const numbers = of(integer, real);
    const values = numbers + of(boolean, date, datetime, time, identifier, text);
    const isMost = (count: number) => count > 0 && count >= values * MIN_TYPED_SHARE;
    if (isMost(numbers) && of(identifier) === 0) return of(real) > 0 ? 'real' : 'integer';
    if (isTyped && numbers + of(boolean) > 0 && of(boolean) < values) return 'mixed';
    if (of(boolean) > 0 && of(boolean) === values) return 'boolean';
    if (isMost(of(date))) return 'date';
    if (isMost(of(date, datetime))) return 'datetime';
    return isMost(of(time)) ? 'time' : 'text';
  }
}

/** The affinity that makes SQLite store and compare as the type says. */
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

/** One cell that is not what its column is. */
export interface OddCell {
  readonly file?: string;
  readonly line: number;
  readonly text: string;
}

/** A column as it was loaded. */
export interface LoadedColumn extends ColumnPlan {
  readonly name: string;
  /** The cells had types of their own (JSON). */
  readonly isTyped: boolean;
  /** Some number is spelled otherwise than JavaScript prints it: its cells are given as text. */
  readonly isSpelled: boolean;
  /** What a NULL was, where `cell_text` says nothing else. */
  readonly nullText: '' | null;
  /** The spelling of some cells is known by their row only. */
  readonly needsRow: boolean;
  readonly exceptions: { readonly count: number; readonly cells: readonly OddCell[] };
}

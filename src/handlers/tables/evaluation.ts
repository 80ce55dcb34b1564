import type { Value } from './compare-values.ts';
import type { Row } from './table.ts';

export interface ResultColumn {
  readonly name: string;
  readonly unit?: string | undefined;
}

/** Texts of cells by row and column, where there are any. */
export type CellTexts = readonly (readonly (string | null)[] | null)[];

/** The answer to one query. */
export interface ResultTable {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Value[])[];
  /** Cells of the file as it writes them, where the number would be written otherwise: `10.50`. */
  readonly texts?: CellTexts | undefined;
  /** Rows of the table, and those that passed the filters. */
  readonly rowsRead: number;
  readonly rowsMatched: number;
  /** What a reader must know: ties at the cut, cells without a value. */
  readonly notes: readonly string[];
}

/** Takes rows that passed the filters, then gives the answer. */
export interface Evaluation {
  readonly add: (row: Row) => void;
  readonly finish: () => Pick<ResultTable, 'columns' | 'rows' | 'texts' | 'notes'>;
}

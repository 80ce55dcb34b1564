import type { Value } from './compare-values.ts';
import type { Row } from './table.ts';

export interface ResultColumn {
  readonly name: string;
  readonly unit?: string | undefined;
}

/** The answer to one query. */
export interface ResultTable {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Value[])[];
  /** Rows of the table, and those that passed the filters. */
  readonly rowsRead: number;
  readonly rowsMatched: number;
  /** What a reader must know: ties at the cut, cells without a value. */
  readonly notes: readonly string[];
}

/** Takes rows that passed the filters, then gives the answer. */
export interface Evaluation {
  readonly add: (row: Row) => void;
  readonly finish: () => Pick<ResultTable, 'columns' | 'rows' | 'notes'>;
}

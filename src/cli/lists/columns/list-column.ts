import type { Symbols } from '../../menu/terminal/symbols.ts';
import { folderText } from '../../text/short-folder.ts';
import type { Style } from '../../text/style.ts';
import { oneLine } from '../cell-text.ts';

/** The context of the rows of a list. */
export interface ListFrame {
  /** Columns that a line may take. */
  readonly width: number;
  readonly symbols: Symbols;
  readonly style: Style;
  readonly now: Date;
  /** The sign of work in progress. */
  readonly spinner: string;
  /** Folders in it are shown as `~/…`. */
  readonly home: string | undefined;
}

/** One column of a list, at a terminal and in a pipe. */
export interface ListColumn<Row> {
  /** In the header line of a pipe. */
  readonly name: string;
  /** The whole value, for a pipe and for filters. Undefined: not in a pipe. */
  readonly value?: (row: Row) => string;
  /** At a terminal: one escaped line, without colours; `value`: the same value. Undefined: not at a terminal. */
  readonly cell?: 'value' | ((row: Row, frame: ListFrame) => string);
  readonly paint?: (cell: string, row: Row, frame: ListFrame) => string;
  /**
   * `text`: takes the rest of the line, is cut at its end, and is the second line of a row below 60 columns. `path`: is cut
   * in its middle to 24 columns. Default: never cut.
   */
  readonly cut?: 'text' | 'path';
  /** With `text`: follows it and is never cut. */
  readonly tail?: (row: Row) => string;
  /** Columns go in this order, the lowest first, until the text has 24 columns. Default: stays. */
  readonly drop?: number;
  /** Shown after the text, whose column is then as wide as its longest cell. */
  readonly isAfterText?: boolean;
  /** Aligned to the right. */
  readonly isNumber?: boolean;
}

/** The folder of a row. `isShown`: also at a terminal, since the rows are of several folders. */
export const workspaceColumn = (isShown: boolean): ListColumn<{ readonly workspace: string }> => ({
  name: 'workspace',
  value: ({ workspace }) => oneLine(workspace),
  ...(isShown && { cell: ({ workspace }, { home }) => folderText(workspace, home) }),
  cut: 'path',
  drop: 0,
});

import type { ReactNode } from 'react';

/** A column: its name, the cell of a row, and the classes of its cells. */
export type Column<Row> = readonly [
  name: string,
  cell: (row: Row) => ReactNode,
  className?: string,
];

interface TableProps<Row> {
  readonly className?: string;
  readonly columns: readonly Column<Row>[];
  /** Each has a name of its own. */
  readonly rows: readonly Row[];
}

/** A table with a row of column names. */
export const Table = <Row extends { readonly name: string }>(props: TableProps<Row>) => (
  <table className={`cases ${props.className ?? ''}`}>
    <thead>
      <tr>
        {props.columns.map(([name, , className]) => (
          <th key={name} scope="col" className={className}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {props.rows.map((row) => (
        <tr key={row.name}>
          {props.columns.map(([name, cell, className]) => (
            <td key={name} className={className}>
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

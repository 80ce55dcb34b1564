import { TaskError } from '../task-error.ts';
import { isMissing, toNumber, toTime } from './infer-columns.ts';
import type { Expression } from './query.ts';
import type { Cell, Column, Row, Table } from './table.ts';
import { timePart } from './time-part.ts';

/** Reads one value of a row; null where there is none. */
export type Reader = (row: Row) => string | number | null;

/** @throws TaskError `AMBIGUOUS` for dates whose day and month can't be told apart; later `INPUT_INVALID` for a cell that breaks the column's type. */
export function compileExpression(table: Table, expression: Expression): Reader {
  switch (expression.kind) {
    case 'number':
      return () => expression.value;
    case 'column':
      return columnReader(columnOf(table, expression.column));
    case 'part':
      return partReader(columnOf(table, expression.column), expression.part);
    case 'binary':
      return binaryReader(table, expression);
  }
}

/** Adds the indexes of the columns that an expression reads. */
export function addUsed(table: Table, expression: Expression | undefined, used: Set<number>): void {
  if (!expression || expression.kind === 'number') return;
  if (expression.kind === 'binary') {
    addUsed(table, expression.left, used);
    addUsed(table, expression.right, used);
  } else used.add(columnOf(table, expression.column).index);
}

/** @throws TaskError `NOT_FOUND` naming the columns that there are. */
export function columnOf(table: Table, name: string): Column {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (column) return column;
  const names = table.columns.map((candidate) => candidate.name).join(', ');
  throw new TaskError('NOT_FOUND', `${table.name} has no column "${name}". It has: ${names}.`);
}

function columnReader(column: Column): Reader {
  const { index } = column;
  if (column.type !== 'number') return (row) => asText(row[index]);
  return (row) => {
    const cell = row[index];
    const value = toNumber(cell);
    if (value === undefined && !isMissing(cell)) throw notNumeric(column, cell);
    return value ?? null;
  };
}

const asText = (cell: Cell | undefined): string | number | null => {
  if (cell === null || cell === undefined || cell === '') return null;
  return typeof cell === 'boolean' ? String(cell) : cell;
};

function partReader(column: Column, part: Parameters<typeof timePart>[1]): Reader {
  if (column.dateOrder === 'unclear') {
    throw new TaskError(
      'AMBIGUOUS',
      `The dates in "${column.name}" can be read with the day first or the month first.`,
    );
  }
  const { index, dateOrder } = column;
  return (row) => {
    const cell = row[index];
    const time = toTime(cell, dateOrder);
    if (time === undefined && !isMissing(cell)) throw notTime(column, cell);
    if (time === undefined) return null;
    const hasClock = part !== 'second' || String(cell).includes(':');
    return hasClock ? timePart(time, part) : time.slice(0, 10);
  };
}

function binaryReader(table: Table, expression: Expression & { kind: 'binary' }): Reader {
  const left = compileExpression(table, expression.left);
  const right = compileExpression(table, expression.right);
  const { operator } = expression;
  return (row) => {
    const a = left(row);
    const b = right(row);
    if (typeof a !== 'number' || typeof b !== 'number') return null;
    return calculate(operator, a, b);
  };
}

function calculate(operator: '+' | '-' | '*' | '/', a: number, b: number): number | null {
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  return b === 0 ? null : a / b;
}

const shown = (cell: Cell | undefined): string => JSON.stringify(String(cell).slice(0, 80));
const notNumeric = (column: Column, cell: Cell | undefined): TaskError =>
  new TaskError(
    'INPUT_INVALID',
    `Column "${column.name}" holds ${shown(cell)}, which is no number.`,
  );
const notTime = (column: Column, cell: Cell | undefined): TaskError =>
  new TaskError('INPUT_INVALID', `Column "${column.name}" holds ${shown(cell)}, which is no date.`);

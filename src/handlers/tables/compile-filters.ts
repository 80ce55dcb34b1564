import { compileExpression, type Reader } from './compile-expression.ts';
import type { Condition, Filter } from './query.ts';
import type { Row, Table } from './table.ts';

/** One predicate for filters that must all hold. */
export function compileFilters(table: Table, filters: readonly Filter[]): (row: Row) => boolean {
  const tests = filters.map((filter) => {
    const any = filter.any.map((condition) => compileCondition(table, condition));
    return (row: Row) => any.some((test) => test(row)) !== filter.negated;
  });
  return (row) => tests.every((test) => test(row));
}

function compileCondition(table: Table, condition: Condition): (row: Row) => boolean {
  const read = compileExpression(table, condition.left);
  const holds = valueTest(condition);
  if (condition.test === 'is empty') return (row) => read(row) === null;
  return (row) => holds(read(row));
}

type Value = ReturnType<Reader>;

function valueTest({ test, values }: Condition): (value: Value) => boolean {
  const [first = '', second = ''] = values;
  const text = String(first).toLowerCase();
  switch (test) {
    case '=': {
      const wanted = new Set(values.map((value) => String(value).toLowerCase()));
      return (value) => value !== null && wanted.has(String(value).toLowerCase());
    }
    case 'between':
      return (value) => atLeast(value, first) && atMost(value, second);
    case '>':
      return (value) => value !== null && !atMost(value, first);
    case '>=':
      return (value) => atLeast(value, first);
    case '<':
      return (value) => value !== null && !atLeast(value, first);
    case '<=':
      return (value) => atMost(value, first);
    case 'contains':
      return (value) => value !== null && String(value).toLowerCase().includes(text);
    case 'starts with':
      return (value) => value !== null && String(value).toLowerCase().startsWith(text);
    case 'ends with':
      return (value) => value !== null && String(value).toLowerCase().endsWith(text);
    case 'is empty':
      return () => false;
  }
}

const atLeast = (value: Value, bound: string | number): boolean => value !== null && value >= bound;
const atMost = (value: Value, bound: string | number): boolean => value !== null && value <= bound;

import type { Expression } from '../tables/query.ts';
import type { Column } from '../tables/table.ts';
import { unclear } from './failures.ts';
import { parseColumn } from './find-column.ts';
import { attempt, eat, type Parser, peek, skipArticles } from './parser.ts';

type Operator = '+' | '-' | '*' | '/';
const products = new Map<string, Operator>([
  ['*', '*'],
  ['×', '*'],
  ['times', '*'],
  ['multiplied by', '*'],
  ['/', '/'],
  ['÷', '/'],
  ['divided by', '/'],
]);
const sums = new Map<string, Operator>([
  ['+', '+'],
  ['plus', '+'],
  ['-', '-'],
  ['minus', '-'],
]);

/** A column, or a calculation over numeric columns: `Price*Stock`, `temp_max - temp_min`. */
export const parseExpression = (parser: Parser): Expression | undefined =>
  parseBinary(parser, sums, (inner) => parseBinary(inner, products, parseTerm));

/** The column of an expression that is just one. */
export const columnOfExpression = (parser: Parser, expression: Expression): Column | undefined =>
  expression.kind === 'column'
    ? parser.table.columns.find(({ name }) => name === expression.column)
    : undefined;

/** Whether a value depends on the row at all. */
export const hasColumn = (expression: Expression): boolean =>
  expression.kind === 'binary'
    ? hasColumn(expression.left) || hasColumn(expression.right)
    : expression.kind !== 'number';

/** The unit of a value: that of its column; none for a calculation. */
export const unitOfExpression = (parser: Parser, expression: Expression): string | undefined =>
  columnOfExpression(parser, expression)?.unit;

function parseBinary(
  parser: Parser,
  operators: ReadonlyMap<string, Operator>,
  parseSide: (parser: Parser) => Expression | undefined,
): Expression | undefined {
  let left = attempt(parser, parseSide);
  for (;;) {
    const held = left;
    if (held === undefined) return undefined;
    const next = attempt(parser, (inner) => {
      const operator = operators.get(eat(inner, ...operators.keys()) ?? '');
      const right = operator && parseSide(inner);
      return operator && right ? binary(parser, operator, held, right) : undefined;
    });
    if (next === undefined) return held;
    left = next;
  }
}

function binary(
  parser: Parser,
  operator: Operator,
  left: Expression,
  right: Expression,
): Expression {
  for (const side of [left, right]) assertNumeric(parser, side);
  return { kind: 'binary', operator, left, right };
}

/** @throws TaskError naming the column where it holds no numbers. */
export function assertNumeric(parser: Parser, expression: Expression): void {
  if (expression.kind === 'part') throw unclear('A date is not a number.');
  const column = columnOfExpression(parser, expression);
  if (column && column.type !== 'number') {
    const why = column.type === 'mixed' ? 'holds other values beside numbers' : 'holds no numbers';
    throw unclear(`The column "${column.name}" ${why}: it can't be calculated with.`);
  }
}

function parseTerm(parser: Parser): Expression | undefined {
  skipArticles(parser);
  if (eat(parser, '(')) {
    const inner = parseExpression(parser);
    return inner && eat(parser, ')') ? inner : undefined;
  }
  const token = peek(parser);
  if (token?.kind === 'number' && token.value !== undefined) {
    parser.at += 1;
    return { kind: 'number', value: token.value };
  }
  const column = parseColumn(parser);
  return column && { kind: 'column', column: column.name };
}

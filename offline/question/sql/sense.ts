import { TaskError } from '../../task-error.ts';
import type { Expression, Order } from './query.ts';

/** Whether a value is of the kind that an order asks for: a time or a text. */
export function isOfSense(
  expression: Expression | undefined,
  sense: NonNullable<Order['sense']>,
): boolean {
  if (expression === undefined) return false;
  const isTime = expression.part !== undefined || expression.column?.isTime === true;
  return sense === 'time' ? isTime : !isTime && expression.column?.isNumber !== true;
}

/** The error if no output is of this kind. */
export const noneOfSense = (sense: NonNullable<Order['sense']>): TaskError =>
  new TaskError(
    'NOT_UNDERSTOOD',
    `By which column to order is not said: no ${sense} is shown. Add "by …".`,
  );

import { TaskError } from '../../task-error.ts';
import type { Expression, Order } from './query.ts';

/** Whether a value is a time or a text, as the words for an order say. */
export function isOfSense(
  expression: Expression | undefined,
  sense: NonNullable<Order['sense']>,
): boolean {
  if (expression === undefined) return false;
  const isTime = expression.part !== undefined || expression.column?.isTime === true;
  return sense === 'time' ? isTime : !isTime && expression.column?.isNumber !== true;
}

/** The failure where nothing of this kind is shown. */
export const noneOfSense = (sense: NonNullable<Order['sense']>): TaskError =>
  new TaskError(
    'NOT_UNDERSTOOD',
    `By which column to order is not said: no ${sense} is shown. Add "by …".`,
  );

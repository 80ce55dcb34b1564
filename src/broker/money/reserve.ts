import type { IntentRecord } from '../../contract/intent.ts';
import type { Journal } from '../intent/journal.ts';
import type { Budget, BudgetLimits, BudgetStanding } from './budget.ts';

export interface ReserveParts {
  readonly journal: Journal;
  readonly budget: Budget;
  readonly limits: BudgetLimits;
}

/** Thrown inside the transaction of a reservation, so that nothing of it stays. */
class DoesNotFit extends Error {}

/**
 * Saves an intent with what it reserves, in one transaction that also counts what every other intent of every process
 * has spent and reserved: two that fit one by one, and not together, can't both get through.
 *
 * @param fits Whether the call fits into what is left.
 * @returns False where it does not: then nothing was written.
 */
export function saveReserved(
  intent: IntentRecord,
  fits: (standing: BudgetStanding) => boolean,
  { journal, budget, limits }: ReserveParts,
  alsoWrite: () => void = () => {},
): boolean {
  try {
    journal.save(intent, () => {
      if (!fits(budget.standing(intent, limits))) throw new DoesNotFit();
      alsoWrite();
    });
    return true;
  } catch (error) {
    if (error instanceof DoesNotFit) return false;
    throw error;
  }
}

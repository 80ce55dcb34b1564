import { AppError } from '../contract/errors.ts';
import { printable } from '../contract/text/printable.ts';

const MAX_CHARS = 64;

/** Recorded when no person answered: see `Approval.answeredBy`. */
const RESERVED = /^(?:approve_mode|nobody|remembered:.*)$/s;

/**
 * Refuses names of surfaces that are reserved for answers without a person.
 *
 * @throws AppError `USAGE`.
 */
export function assertActor(by: string): void {
  if (by.trim() !== '' && by.length <= MAX_CHARS && !RESERVED.test(by)) return;
  const problem = `by is "${printable(by, MAX_CHARS)}". Write the name of the surface, such as cli or dashboard (at most ${MAX_CHARS} characters).`;
  throw new AppError('USAGE', { problem });
}

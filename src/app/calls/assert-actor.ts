import { escapeText } from '../../contract/text/escape-text.ts';
import { printable } from '../../contract/text/printable.ts';
import { usage } from '../../contract/usage.ts';

const MAX_CHARS = 64;

/** Recorded when no person answered: see `Approval.answeredBy`. */
const RESERVED = /^(?:approve_mode|nobody|remembered:.*)$/s;

/**
 * Checks the name of the surface that a person uses: at most 64 characters, all of them visible, and not a name that is
 * reserved for answers without a person.
 */
export function assertActor(by: string): void {
  if (typeof by === 'string' && isName(by)) return;
  const problem = `by is "${printable(String(by), MAX_CHARS)}". Write the name of the surface, such as cli or dashboard (at most ${MAX_CHARS} visible characters).`;
  throw usage(problem, 'by');
}

/** The person at this surface as the audit names them: `person:cli`. */
export function personAt(by: string): string {
  assertActor(by);
  return `person:${by}`;
}

const isName = (by: string): boolean =>
  by.trim() !== '' && by.length <= MAX_CHARS && !RESERVED.test(by) && escapeText(by) === by;

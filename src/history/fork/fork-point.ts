import type { IntentRecord } from '../../contract/intent.ts';
import { usage } from '../../contract/usage.ts';

/** The last intent that a fork shares with the forked run, and the shared history. */
export interface ForkPoint {
  readonly intent: IntentRecord;
  /** Counts from 1. */
  readonly number: number;
  /** All intents up to this one, including it. */
  readonly history: readonly IntentRecord[];
}

/**
 * Finds the intent with this number or id, or the only one whose id begins with it (4 characters or more).
 *
 * @throws AppError `USAGE`.
 */
export function findForkPoint(intents: readonly IntentRecord[], wanted: string): ForkPoint {
  const byNumber = /^\d{1,6}$/.test(wanted) ? intents[Number(wanted) - 1] : undefined;
  const matches = intents.filter(({ id }) => wanted.length >= 4 && id.startsWith(wanted));
  const intent = byNumber ?? (matches.length === 1 ? matches[0] : undefined);
  if (!intent) {
    const found = matches.length > 1 ? `${matches.length} requests` : 'no request of the run';
    throw usage(`"${wanted}" names ${found}. Give an id, or a number from 1 to ${intents.length}.`);
  }
  const at = intents.indexOf(intent);
  return { intent, number: at + 1, history: intents.slice(0, at + 1) };
}

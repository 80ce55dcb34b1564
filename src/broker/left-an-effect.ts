import type { IntentRecord } from './intent-record.ts';

/**
 * Whether an intent may have done something that can't be taken back. What failed once it had been started counts where
 * it must not be repeated: a request whose answer was lost may have arrived, a command that was stopped had begun.
 */
export function leftAnEffect(intent: IntentRecord): boolean {
  const { tier, status, repeatability, startedAt } = intent;
  if (tier === 0 || repeatability === 'pure') return false;
  if (status === 'failed') return startedAt !== null && mustNotRepeat(intent);
  return status === 'done' || status === 'started' || status === 'unknown';
}

/** Whether nobody but a person can say what is to be done where its outcome is not known. */
export const mustNotRepeat = ({
  tier,
  repeatability,
}: Pick<IntentRecord, 'tier' | 'repeatability'>): boolean => tier > 0 && repeatability === 'unsafe';

import type { IntentRecord } from '../../contract/intent.ts';

type Nature = Pick<IntentRecord, 'tier' | 'repeatability'>;

/**
 * Whether an intent may have done something that can't be taken back. What failed once it had been started counts where
 * it must not be repeated: a request whose answer was lost may have arrived, a command that was stopped had begun. What
 * is known to have done nothing has no time at which it started.
 */
export function leftAnEffect(intent: IntentRecord): boolean {
  const { status, startedAt } = intent;
  if (!isEffect(intent)) return false;
  if (status === 'failed') return startedAt !== null && mustNotRepeat(intent);
  return status === 'done' || status === 'started' || status === 'unknown';
}

/** Whether carrying it out changes something. */
export const isEffect = ({ tier, repeatability }: Nature): boolean =>
  tier > 0 && repeatability !== 'pure';

/** Whether nobody but a person can say what is to be done where its outcome is not known. */
export const mustNotRepeat = ({ tier, repeatability }: Nature): boolean =>
  tier > 0 && repeatability === 'unsafe';

import { counted } from '../../text/format.ts';

interface Outcome {
  readonly status: string;
  readonly reason: string | null;
  /** Default: false. */
  readonly isWaiting?: boolean;
}

/** The status as text: `completed`, `failed (budget)`, `parked: waits for 2 answers`. A reason that equals the status is left out. */
export function outcomeText(outcome: Outcome, openQuestions: number): string {
  const { status, reason, isWaiting = false } = outcome;
  if ((status === 'parked' || isWaiting) && openQuestions > 0)
    return `${status}: waits for ${counted(openQuestions, 'answer')}`;
  return reason === null || reason === status ? status : `${status} (${reason})`;
}

import type { Decision, DenialReason, Step } from '../../policy/decision.ts';

/** A yes, with the question that it came from where there was one. */
export interface Consent {
  readonly approved: true;
  readonly step: Step;
  readonly rule: string;
  readonly approvalId?: string;
  /** A person said so, to this very question. */
  readonly isByPerson?: boolean;
}

/** A no, with its stable reason and a sentence for people. */
export interface Refusal {
  readonly approved: false;
  readonly step: Step;
  readonly rule: string;
  readonly reason: DenialReason;
  readonly sentence: string;
}

export type Settlement = Consent | Refusal;

/** What follows from a decision that nobody is asked about. */
export function settlementOf(decision: Exclude<Decision, { kind: 'ask' }>): Settlement {
  const { step, rule } = decision;
  if (decision.kind === 'allow') return { approved: true, step, rule };
  const { reason, sentence } = decision;
  return { approved: false, step, rule, reason, sentence };
}

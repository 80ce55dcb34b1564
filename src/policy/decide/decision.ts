/** `rule` is the rule that decided, `reason` a stable code for machines, `sentence` is for people. */
export type Decision =
  | {
      readonly kind: 'allow';
      readonly step: Step;
      readonly rule: string;
      readonly sentence: string;
    }
  | {
      readonly kind: 'deny';
      readonly step: Step;
      readonly rule: string;
      readonly reason: DenialReason;
      readonly sentence: string;
    }
  | {
      readonly kind: 'ask';
      readonly step: Step;
      readonly rule: string;
      readonly question: string;
      readonly sentence: string;
      /** Only a person answers it: no mode, no remembered answer. */
      readonly forced: boolean;
    };

/** 1 deny · 2 forced ask · 3 rules · 4 gate · 5 table · 6 an ask is answered. */
export type Step = 1 | 2 | 3 | 4 | 5 | 6;

export type DenialReason = 'denied' | 'budget' | 'provider' | 'isolation' | 'expired';

/** A decision that was reached without, or after, a question: an intent may be performed. */
export interface Consent {
  readonly approved: true;
  readonly step: Step;
  readonly rule: string;
  /** The question that was answered; undefined if none was asked. */
  readonly approvalId?: string;
  /** Whether a person answered this very question. */
  readonly isByPerson?: boolean;
}

/** An intent may not be performed. */
export interface Refusal {
  readonly approved: false;
  readonly step: Step;
  readonly rule: string;
  readonly reason: DenialReason;
  readonly sentence: string;
}

export type Permission = Consent | Refusal;

/** The stricter of two decisions on one call; the first if both are equally strict. */
export const stricter = (one: Decision, other: Decision): Decision =>
  strictness.indexOf(other.kind) > strictness.indexOf(one.kind) ? other : one;

const strictness: readonly Decision['kind'][] = ['allow', 'ask', 'deny'];

/** The permission of a decision without a question. */
export function settled(decision: Exclude<Decision, { kind: 'ask' }>): Permission {
  const { step, rule } = decision;
  if (decision.kind === 'allow') return { approved: true, step, rule };
  return { approved: false, step, rule, reason: decision.reason, sentence: decision.sentence };
}

/**
 * Whether an approval of these decisions also covers the current one. A person who approved the request, and the approval of
 * a forced question, also cover unforced questions.
 */
export const covers = (
  agreed: readonly Decision[],
  { isByPerson = false }: Pick<Consent, 'isByPerson'>,
  now: Decision,
): boolean =>
  now.kind !== 'ask' ||
  (isByPerson && !now.forced) ||
  agreed.some((one) => one.rule === now.rule || (one.kind === 'ask' && one.forced && !now.forced));

interface Decided {
  readonly step: Step;
  /** The rule that decided. */
  readonly rule: string;
  /** For people. */
  readonly sentence: string;
}

export type Decision =
  | (Decided & { readonly kind: 'allow' })
  | (Decided & { readonly kind: 'deny'; readonly reason: DenialReason })
  | (Decided & {
      readonly kind: 'ask';
      readonly question: string;
      /** Only a person answers it: no mode, no remembered answer. */
      readonly forced: boolean;
    });
export type Denial = Extract<Decision, { kind: 'deny' }>;
export type Ask = Extract<Decision, { kind: 'ask' }>;

/** 1 deny · 2 forced ask · 3 rules · 4 gate · 5 table · 6 an ask is answered. */
export type Step = 1 | 2 | 3 | 4 | 5 | 6;

/** A stable code for machines. */
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
export interface Refusal extends Decided {
  readonly approved: false;
  readonly reason: DenialReason;
  /** It was approved, but its subject changed since: a failure, not a denial. Default: false. */
  readonly isOutdated?: boolean;
  /** The amounts that a payment was refused for, as stored. */
  readonly facts?: object;
}

export type Permission = Consent | Refusal;

/** A rule of step 1, and the sentence for people if it denies a call with these facts. */
export type Check<Facts extends unknown[]> = readonly [
  rule: string,
  problemOf: (...facts: Facts) => string | false | undefined,
  reason?: DenialReason,
];

/** The denial of the first check that applies. */
export function firstDenial<Facts extends unknown[]>(
  checks: readonly Check<Facts>[],
  ...facts: Facts
): Denial | undefined {
  for (const [rule, problemOf, reason = 'denied'] of checks) {
    const sentence = problemOf(...facts);
    if (sentence) return { kind: 'deny', step: 1, rule, reason, sentence };
  }
  return undefined;
}

export const allow = (step: Step, rule: string, sentence: string): Decision => ({
  kind: 'allow',
  step,
  rule,
  sentence,
});

/** Decides by the rules that the run began with and by the current ones: the stricter decision applies. */
export function byStricterRules<Rules, Facts extends { rules?: Rules; currentRules?: Rules }>(
  facts: Facts,
  decide: (facts: Facts) => Decision,
): Decision {
  const decision = decide(facts);
  if (facts.currentRules === undefined) return decision;
  const current = decide({ ...facts, rules: facts.currentRules });
  return strictness.indexOf(current.kind) > strictness.indexOf(decision.kind) ? current : decision;
}

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

import type { IntentRecord } from '../../contract/intent.ts';
import { decideApiCall } from '../../policy/decide/decide-api-call.ts';
import type { Ask, Consent, Decision, Refusal } from '../../policy/decide/decision.ts';
import type { BreakerState } from '../../policy/limits/breaker.ts';
import { fitsLimits, isLimitRule } from '../../policy/limits/spend-limits.ts';
import { toStoredChatFacts } from '../../policy/limits/stored-facts.ts';
import { awaitingAnswer, transition } from '../intent/transitions.ts';
import type { BudgetUse } from './budget.ts';
import { askToSpend, hasConsent, raiseBudget } from './consent.ts';
import {
  breakerKey,
  breakerOf,
  estimatesOf,
  gatherSpendFacts,
  isCounted,
  type Payment,
} from './payment.ts';

/** A payment that was agreed to, with its money reserved. */
export interface Reservation {
  readonly approved: true;
  readonly payment: Payment;
  /** The saved row: `started` if the payment starts it. */
  readonly intent: IntentRecord;
  readonly consent: Consent;
  /** Whether the call is the single probe of a half-open breaker. */
  readonly isProbe: boolean;
}

/** Each round ends with a decision, or follows an approval or another call's reservation: more rounds are a bug. */
const MAX_ROUNDS = 200;

/**
 * Decides on current facts until a consent holds with the money reserved, or the payment is refused. Reserves before it
 * asks, and releases the reservation if the wait ends without an answer.
 *
 * @throws AppError `CANCELLED`.
 */
export async function reserve(payment: Payment): Promise<Reservation | Refusal> {
  let agreed: Consent | undefined;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const result = await decideOnce(payment, agreed);
    if (result && (!result.approved || 'payment' in result)) return result;
    agreed = result ?? agreed;
  }
  return NEVER_FITS;
}

/** After a consent, or undefined, it must be decided again. */
async function decideOnce(
  payment: Payment,
  agreed: Consent | undefined,
): Promise<Reservation | Refusal | Consent | undefined> {
  const version = isCounted(payment) ? payment.parts.budget.version() : undefined;
  const breaker = breakerOf(payment);
  const found = gatherSpendFacts(payment, () => hasConsent(payment), breaker);
  const decision = decideApiCall(found);
  const facts = toStoredChatFacts(found);
  if (decision.kind === 'deny') return { approved: false, ...decision, facts };
  const consent = consentOf(decision, agreed);
  const decided = { ...payment, intent: { ...payment.intent, facts } };
  if (consent) return start(decided, consent, { version, used: found, breaker });
  return decision.kind === 'ask' ? askFor(payment, decision) : undefined;
}

const NEVER_FITS: Refusal = {
  approved: false,
  step: 1,
  rule: 'run_budget',
  reason: 'budget',
  sentence: 'Other calls kept taking the budget before this one could start.',
};

/** An allow, or the answer to the question that the decision asks. */
function consentOf(decision: Decision, agreed: Consent | undefined): Consent | undefined {
  if (decision.kind === 'allow')
    return { approved: true, step: decision.step, rule: decision.rule };
  return decision.rule === agreed?.rule ? agreed : undefined;
}

/** Undefined if it must be decided again. */
async function askFor(payment: Payment, decision: Ask): Promise<Consent | Refusal | undefined> {
  if (decision.forced && isLimitRule(decision.rule)) return raiseBudget(payment, decision);
  const intent = withReservation(payment);
  if (isCounted(payment) && !saveIfItFits({ ...payment, intent })) return undefined;
  try {
    const answer = await askToSpend({ ...payment, intent }, decision);
    await payment.scope.run.currentRules?.refresh();
    return answer;
  } catch (error) {
    release(payment);
    throw error;
  }
}

/** Releases the money while the question stays open. `intent` is the row before the reservation. */
export function release({ intent, parts }: Pick<Payment, 'intent' | 'parts'>): void {
  const isAsked = parts.approvals
    .listOf(intent.runId)
    .some(({ intentId }) => intentId === intent.id);
  parts.journal.save(isAsked ? awaitingAnswer(intent) : intent);
}

const withReservation = ({ intent, bound }: Payment): IntentRecord => ({
  ...intent,
  reservedMicroUsd: bound.microUsd,
  reservedTokens: bound.tokens,
});

/** Undefined if another call took the money or the probe of the breaker first. */
function start(payment: Payment, consent: Consent, read: SpendRead): Reservation | undefined {
  const { parts, startsAtOnce } = payment;
  const { step, rule, approvalId, isByPerson } = consent;
  const counted = isCounted(payment);
  const reserved = counted ? withReservation(payment) : payment.intent;
  const startedAt = parts.now().toISOString();
  const intent = startsAtOnce
    ? transition(reserved, 'started', { step, rule, startedAt })
    : reserved;
  if (!counted && approvalId === undefined && read.breaker.kind === 'closed') {
    parts.journal.saveSoon(intent);
    return { approved: true, payment, intent, consent, isProbe: false };
  }
  let isProbe = false;
  const mayStart = () => {
    const pass = passBreaker(payment);
    isProbe = pass === 'probe';
    if (approvalId !== undefined && isByPerson && isForOneCall(payment, approvalId))
      parts.approvals.consume(approvalId);
    return pass !== 'none';
  };
  if (!saveIfItFits({ ...payment, intent }, mayStart, read)) return undefined;
  return { approved: true, payment, intent, consent, isProbe };
}

/** Whether a call passes the breaker, inside the transaction that starts it; a half-open one lets a single probe pass. */
function passBreaker(payment: Payment): 'free' | 'probe' | 'none' {
  if (breakerOf(payment).kind === 'closed') return 'free';
  const { parts, payee } = payment;
  const isClaimed = parts.breakers.claimProbe(breakerKey(payment), payee.waitMs + LEASE_SLACK_MS);
  return isClaimed ? 'probe' : 'none';
}

/** The probe ends with its call, or this long after the call's timeout. */
const LEASE_SLACK_MS = 5_000;

/** A question about one call is consumed by it; a consent to spend holds for the run. */
const isForOneCall = ({ parts }: Payment, approvalId: string): boolean =>
  parts.approvals.find(approvalId)?.kind !== 'spend';

/** Facts that were read at a version of the database, since when this process has not written any. */
interface SpendRead {
  /** Undefined if the payment is not counted. */
  readonly version: number | undefined;
  readonly used: BudgetUse;
  readonly breaker: BreakerState;
}

/** Thrown inside the transaction of a reservation, to roll it back. */
class BudgetExceeded extends Error {}

/**
 * Saves the intent of a payment with its reservation, in one transaction that also sums what every other intent of
 * every process has spent and reserved: two calls that fit separately, but not together, can't both pass.
 *
 * @param mayStart Called in the transaction; false if the call must not start. What it writes is rolled back if it does not fit.
 * @param read Used unless another process has written since.
 * @returns False if it does not fit: then nothing was written.
 */
export function saveIfItFits(
  payment: Payment,
  mayStart: () => boolean = () => true,
  read?: SpendRead,
): boolean {
  const { intent, scope, parts } = payment;
  const { budget, journal } = parts;
  const used = () =>
    read?.version === budget.version() ? read.used : budget.used(intent, scope.run.policy);
  const fits = () => !isCounted(payment) || fitsLimits({ ...used(), ...estimatesOf(payment) });
  try {
    journal.save(intent, () => {
      if (!mayStart() || !fits()) throw new BudgetExceeded();
    });
    return true;
  } catch (error) {
    if (error instanceof BudgetExceeded) return false;
    throw error;
  }
}

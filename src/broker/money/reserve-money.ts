import type { IntentRecord } from '../../contract/intent.ts';
import { decideApiCall } from '../../policy/decide-api-call.ts';
import type { Decision } from '../../policy/decision.ts';
import { fitsLimits } from '../../policy/spend-limits.ts';
import { toStoredChatFacts } from '../../policy/stored-facts.ts';
import type { Consent, Refusal } from '../questions/settlement.ts';
import type { BudgetStanding } from './budget.ts';
import {
  breakerKey,
  estimatesOf,
  gatherSpendFacts,
  isCounted,
  type PaidCall,
} from './paid-call.ts';
import { asksForRaise, raiseBudget } from './raise-budget.ts';
import { saveReserved } from './reserve.ts';
import { askToSpend, hasConsent } from './spend-consent.ts';

/** A call that may be made: its row says `started` where it begins so, and its money is reserved. */
export interface BegunChat {
  readonly approved: true;
  readonly started: IntentRecord;
  /** It is the one try of a provider that has rested. */
  readonly isProbe: boolean;
}

/** Each round ends with a decision, or follows a person's yes or another call's reservation: this many are a defect. */
const MOST_ROUNDS = 200;

/**
 * Decides on today's facts until there is a yes that still holds with the money reserved, or a no. Reserves before it
 * asks, and gives back what it reserved where the wait ends without an answer.
 *
 * @throws AppError `CANCELLED`.
 */
export async function beginChat(call: PaidCall): Promise<BegunChat | Refusal> {
  let agreed: Consent | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const step = await decideOnce(call, agreed);
    if (step && 'end' in step) return step.end;
    agreed = step?.agreed ?? agreed;
  }
  return NEVER_FITS;
}

type Round = { readonly end: BegunChat | Refusal } | { readonly agreed: Consent } | undefined;

/** Undefined where it is to be decided again. */
async function decideOnce(call: PaidCall, agreed: Consent | undefined): Promise<Round> {
  const facts = gatherSpendFacts(call, () => hasConsent(call));
  const decision = decideApiCall(facts);
  const intent = { ...call.intent, facts: toStoredChatFacts(facts) };
  if (decision.kind === 'deny') return { end: { approved: false, ...decision } };
  const consent = consentOf(decision, agreed);
  if (consent) {
    const begun = start({ ...call, intent }, consent);
    return begun && { end: begun };
  }
  if (decision.kind !== 'ask') return undefined;
  const answer = await ask(call, decision);
  if (answer === undefined) return undefined;
  return answer.approved ? { agreed: answer } : { end: answer };
}

const NEVER_FITS: Refusal = {
  approved: false,
  step: 1,
  rule: 'run_budget',
  reason: 'budget',
  sentence: 'Other calls took the budget again and again before this one could begin.',
};

/** An allow, or the question that a person has just said yes to. */
function consentOf(decision: Decision, agreed: Consent | undefined): Consent | undefined {
  if (decision.kind === 'allow')
    return { approved: true, step: decision.step, rule: decision.rule };
  return decision.rule === agreed?.rule ? agreed : undefined;
}

/** Undefined where it is to be decided again. */
async function ask(
  call: PaidCall,
  decision: Extract<Decision, { kind: 'ask' }>,
): Promise<Consent | Refusal | undefined> {
  if (asksForRaise(decision)) return raiseBudget(call, decision);
  const reserved = reservationOf(call);
  if (isCounted(call) && !saveReserved(reserved, fitsWith(call), reserveParts(call)))
    return undefined;
  try {
    return await askToSpend({ ...call, intent: reserved }, decision);
  } catch (error) {
    release(call);
    throw error;
  }
}

/** The question stands, the money does not wait for it. */
export function release({ intent, parts }: Pick<PaidCall, 'intent' | 'parts'>): void {
  const isAsked = parts.approvals.of(intent.runId).some(({ intentId }) => intentId === intent.id);
  parts.journal.save({ ...intent, status: isAsked ? 'waiting' : intent.status });
}

const reservationOf = (call: PaidCall): IntentRecord => ({
  ...call.intent,
  reservedMicroUsd: call.bound.microUsd,
  reservedTokens: call.bound.tokens,
});

export const reserveParts = ({ parts: { journal, budget }, scope }: PaidCall) => ({
  journal,
  budget,
  limits: scope.run.policy,
});

export const fitsWith =
  (call: PaidCall) =>
  (standing: BudgetStanding): boolean =>
    fitsLimits({ ...standing, ...estimatesOf(call) });

/** Undefined where others were faster, be it for the money or for the one try of a breaker. */
function start(
  call: PaidCall,
  { step, rule, approvalId, isByPerson }: Consent,
): BegunChat | undefined {
  const { parts } = call;
  const counted = isCounted(call);
  const reserved = counted ? reservationOf(call) : call.intent;
  const startedAt = parts.now().toISOString();
  const started: IntentRecord =
    call.begins === 'reserved'
      ? reserved
      : { ...reserved, status: 'started', step, rule, startedAt };
  const isGuarded = call.payee.isGuarded && !parts.breakers.isClean(breakerKey(call));
  if (!counted && !isGuarded && approvalId === undefined) {
    parts.journal.saveSoon(started);
    return { approved: true, started, isProbe: false };
  }
  const passed: { as: Pass } = { as: 'none' };
  const fits = fitsWith(call);
  const isFirst = (standing: BudgetStanding) => {
    passed.as = passBreaker(call);
    return (!counted || fits(standing)) && passed.as !== 'none';
  };
  const consume = () => {
    if (approvalId !== undefined && isByPerson && isForOneCall(call, approvalId))
      parts.approvals.consume(approvalId);
  };
  const isSaved = saveReserved(started, isFirst, reserveParts(call), consume);
  return isSaved ? { approved: true, started, isProbe: passed.as === 'probe' } : undefined;
}

type Pass = 'free' | 'probe' | 'none';

/** Whether a call gets through, inside the transaction that starts it; after a rest, one alone does, as the try. */
function passBreaker(call: PaidCall): Pass {
  const { breakers } = call.parts;
  const { isGuarded, waitMs } = call.payee;
  const key = breakerKey(call);
  if (!isGuarded || breakers.standing(key).kind === 'closed') return 'free';
  return breakers.claimProbe(key, waitMs + LEASE_SLACK_MS) ? 'probe' : 'none';
}

/** The try is over when the call is, or this long after the call must have ended. */
const LEASE_SLACK_MS = 5_000;

/** What was asked about this call alone is used up by it; a consent to spend holds for the run. */
const isForOneCall = ({ parts }: PaidCall, approvalId: string): boolean =>
  parts.approvals.find(approvalId)?.kind !== 'spend';

import { AppError, type ErrorCode } from '../../contract/errors.ts';
import type { IntentSummary } from '../../contract/intent.ts';

/** A refused operation, for people. */
export interface Denial {
  /** Empty for the coordinator's own operations. */
  readonly subtaskId: string;
  /** `file_io.write` */
  readonly operation: string;
  readonly target: string;
  /** A stable code: `denied`, `expired`, `budget`, `provider` or `isolation`. */
  readonly reason: string;
  /** Why it was refused. */
  readonly sentence: string;
}

/** Every refusal of a run, in the order of the requests, including those before the policy decided. */
export const denialsOf = (intents: readonly IntentSummary[]): readonly Denial[] =>
  intents.filter((intent) => isRefused(intent) || isInvalid(intent)).flatMap(toDenial);

/** Calls of tools and services that failed, also those with invalid arguments; not those that were refused. */
export const failedCallsOf = (intents: readonly IntentSummary[]) =>
  intents
    .filter((one) => one.status === 'failed' && one.kind !== 'chat' && !isInvalid(one))
    .map((one) => ({ ...one, error: errorOf(one) ?? {} }));

/** Operations that the policy or a person denied and that did not succeed later, each operation on a target once. */
export function openDenialsOf(intents: readonly IntentSummary[]): readonly Denial[] {
  const denials = openIn(intents).flatMap(toDenial);
  return [...new Map(denials.map((one) => [`${one.operation} ${one.target}`, one])).values()];
}

/**
 * The denials that make a run fail: operations of tier 1 or more that did not succeed later, and that a person, a rule, a gate, the
 * approve mode, a deadline, a budget or an open breaker refused. Other refusals do not count: a request outside the
 * grant, a protected path, a secret, a hook or the
 * isolation level.
 */
export const decisiveDenials = (intents: readonly IntentSummary[]): readonly IntentSummary[] =>
  openIn(intents).filter(isDecisive);

const openIn = (intents: readonly IntentSummary[]): readonly IntentSummary[] =>
  intents.filter(
    (intent, at) => isRefused(intent) && !succeededLater(intent, intents.slice(at + 1)),
  );

const isRefused = ({ status, denial }: IntentSummary): boolean =>
  status === 'denied' && denial !== 'cancelled';

/** Rules of step 1 that are the user's decision. */
const userRules: ReadonlySet<string | null> = new Set(['gate_deny', 'rules_unreadable']);

const isDecisive = ({ tier, step, rule, denial }: IntentSummary): boolean =>
  tier >= 1 && (step !== 1 || userRules.has(rule) || denial === 'budget' || denial === 'provider');

/**
 * Whether the same operation on the same target succeeded. An edit does not replace a denied write; any model replaces
 * one that was unavailable.
 */
const succeededLater = (denied: IntentSummary, later: readonly IntentSummary[]): boolean => {
  const isOutage = denied.kind === 'chat' && denied.denial === 'provider';
  return later.some(
    ({ status, tier, target, name }) =>
      status === 'done' &&
      name === denied.name &&
      (isOutage || (tier >= denied.tier && target === denied.target)),
  );
};

/** Errors of requests that were refused without a decision. */
const invalidCodes: ReadonlySet<unknown> = new Set<ErrorCode>([
  'TOOL_UNKNOWN',
  'SERVICE_UNKNOWN',
  'PATH_OUTSIDE_ROOTS',
  'PATH_PROTECTED',
  'PATH_NOT_GRANTED',
  'ADDRESS_PRIVATE',
]);

const isInvalid = (intent: IntentSummary): boolean =>
  intent.status === 'failed' && invalidCodes.has(errorOf(intent)?.code);

/** Empty if the outcome has no reason: then nobody refused it, as with a choice that was not made. */
function toDenial(intent: IntentSummary): readonly Denial[] {
  const { subtaskId, name: operation, target, denial } = intent;
  const message = errorOf(intent)?.message;
  if (typeof message !== 'string') return [];
  const reason = denial ?? 'denied';
  const what = `${operation} ${target}`;
  const start = new AppError('INTENT_DENIED', { what, reason, sentence: '' }).message;
  const sentence = message.startsWith(start) ? message.slice(start.length) : message;
  return [{ subtaskId, operation, target, reason, sentence }];
}

const errorOf = ({ outcome }: IntentSummary) =>
  (outcome as { error?: { code?: unknown; message?: unknown } } | undefined)?.error;

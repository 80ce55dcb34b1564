import type { IntentRecord, IntentStatus } from '../../contract/intent.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import { canonicalHash } from '../../platform/text/canonical-hash.ts';
import { isoTime } from '../../platform/text/iso-time.ts';

/**
 * The allowed transitions. Only this file writes the status of an intent.
 *
 * - `proposed` and `waiting` may end without being started: a question can be the whole intent, and a refused or broken
 *   request has no effect.
 * - `started` returns to `proposed` (or to `waiting`, with its answer) when its process died and it may be repeated.
 * - `unknown` ends only with a person's answer.
 */
export const nextStatuses: Readonly<Record<IntentStatus, readonly IntentStatus[]>> = {
  proposed: ['proposed', 'waiting', 'started', 'done', 'denied', 'failed'],
  waiting: ['proposed', 'waiting', 'started', 'done', 'denied', 'failed'],
  started: ['proposed', 'waiting', 'done', 'failed', 'unknown'],
  unknown: ['started', 'done', 'denied', 'failed'],
  denied: [],
  done: [],
  failed: [],
};

export type Changes = Partial<Omit<IntentRecord, 'status' | 'id' | 'runId'>>;

/** The intent with another status. Throws if the status may not follow: a defect of the caller. */
export function transition(
  intent: IntentRecord,
  to: IntentStatus,
  changes?: Changes,
): IntentRecord {
  if (!nextStatuses[intent.status].includes(to)) {
    throw new Error(`intent ${intent.id} can't go from "${intent.status}" to "${to}"`);
  }
  const next: { -readonly [Key in keyof IntentRecord]: IntentRecord[Key] } = {
    ...intent,
    status: to,
  };
  return changes ? Object.assign(next, changes) : next;
}

/** The intent while a question about it is open. An unknown outcome stays unknown until it is answered. */
export const awaitingAnswer = (intent: IntentRecord): IntentRecord =>
  intent.status === 'unknown' ? intent : transition(intent, 'waiting');

/** The statuses of intents that are undecided or have not ended: only such intents change. */
export const openStatuses = (Object.keys(nextStatuses) as IntentStatus[]).filter(
  (status) => nextStatuses[status].length > 0,
);

/** An intent before it is decided. Default of `repeatability`: unsafe. */
export type Proposal = Pick<
  IntentRecord,
  'kind' | 'name' | 'target' | 'tier' | 'request' | 'reason'
> &
  Partial<Pick<IntentRecord, 'wireId' | 'repeatability' | 'requestHash' | 'askedHash'>>;

/** The first state of an intent. */
export function propose(
  by: Pick<IntentRecord, 'attemptId' | 'subtaskId' | 'capsuleId'> & {
    readonly run: { readonly id: string };
  },
  now: () => Date,
  proposal: Proposal,
): IntentRecord {
  return {
    id: uuidv7(),
    runId: by.run.id,
    attemptId: by.attemptId,
    subtaskId: by.subtaskId,
    capsuleId: by.capsuleId,
    wireId: proposal.wireId ?? null,
    kind: proposal.kind,
    name: proposal.name,
    target: proposal.target,
    tier: proposal.tier,
    repeatability: proposal.repeatability ?? 'unsafe',
    request: proposal.request,
    requestHash: proposal.requestHash ?? canonicalHash(proposal.request),
    askedHash: proposal.askedHash ?? null,
    reason: proposal.reason,
    status: 'proposed',
    step: null,
    rule: null,
    denial: null,
    outcome: undefined,
    facts: undefined,
    effects: undefined,
    reservedMicroUsd: 0,
    reservedTokens: 0,
    costMicroUsd: 0,
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    proposedAt: isoTime(now()),
    startedAt: null,
    endedAt: null,
  };
}

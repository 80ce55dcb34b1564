import type { IntentRecord } from '../../contract/intent.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import { canonicalHash } from '../../platform/canonical-hash.ts';
import { isoTime } from '../../platform/iso-time.ts';
import type { AttemptScope } from './scope.ts';

/** What is known of an intent before it is decided. Default of `repeatability`: unsafe. */
export type IntentWish = Pick<
  IntentRecord,
  'kind' | 'name' | 'target' | 'tier' | 'request' | 'reason'
> &
  Partial<Pick<IntentRecord, 'wireId' | 'repeatability' | 'requestHash' | 'askedHash'>>;

/** The record of an intent as it begins: proposed, nothing decided. */
export function openIntent(scope: AttemptScope, now: () => Date, wish: IntentWish): IntentRecord {
  return {
    id: uuidv7(),
    runId: scope.run.id,
    attemptId: scope.attemptId,
    subtaskId: scope.subtaskId,
    capsuleId: scope.capsuleId,
    wireId: wish.wireId ?? null,
    kind: wish.kind,
    name: wish.name,
    target: wish.target,
    tier: wish.tier,
    repeatability: wish.repeatability ?? 'unsafe',
    request: wish.request,
    requestHash: wish.requestHash ?? canonicalHash(wish.request),
    askedHash: wish.askedHash ?? null,
    reason: wish.reason,
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

/** What every event of an intent begins with. */
export const aboutIntent = ({ id, runId, subtaskId, capsuleId }: IntentRecord) => ({
  run_id: runId,
  subtask_id: subtaskId,
  capsule_id: capsuleId,
  intent_id: id,
});

import { uuidv7 } from '../db/uuidv7.ts';
import { canonicalHash } from './canonical-hash.ts';
import type { IntentRecord } from './intent-record.ts';
import type { AttemptScope } from './scope.ts';

/** What is known of an intent before it is decided. Default of `repeatability`: unsafe. */
export type IntentWish = Pick<
  IntentRecord,
  'kind' | 'name' | 'target' | 'tier' | 'request' | 'reason'
> &
  Partial<Pick<IntentRecord, 'wireId' | 'repeatability' | 'requestHash' | 'askedHash'>>;

/** The record of an intent as it begins: proposed, nothing decided. */
export function openIntent(scope: AttemptScope, now: () => Date, intent: IntentWish): IntentRecord {
  return {
    id: uuidv7(),
    runId: scope.run.id,
    attemptId: scope.attemptId,
    subtaskId: scope.subtaskId,
    capsuleId: scope.capsuleId,
    repeatability: 'unsafe',
    wireId: null,
    askedHash: null,
    ...intent,
    requestHash: intent.requestHash ?? canonicalHash(intent.request),
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
    proposedAt: now().toISOString(),
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

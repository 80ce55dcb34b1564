import type { IntentRecord } from '../../contract/intent.ts';
import type { HookAnswer } from '../../policy/tool-call-facts.ts';

/**
 * The row of an interrupted intent, as it goes on: as what the hooks make of the request today, so that row, question
 * and effect speak of the same. What had started stays what it was.
 */
export function adoptIntent(record: IntentRecord, proposed: IntentRecord): IntentRecord {
  if (record.requestHash === proposed.requestHash || record.status === 'unknown') return record;
  const { name, target, tier, repeatability, request, requestHash, askedHash } = proposed;
  return { ...record, name, target, tier, repeatability, request, requestHash, askedHash };
}

/** What stands against doing an intent (again) that had started as another request than the hooks make of it today. */
export const againstAnother = (
  record: IntentRecord,
  proposed: IntentRecord,
): HookAnswer | undefined =>
  record.requestHash === proposed.requestHash
    ? undefined
    : {
        answer: 'deny',
        hook: 'pre_tool_call',
        why: 'It makes another call of it than had started.',
      };

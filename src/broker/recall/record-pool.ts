import type { IntentRecord } from '../../contract/intent.ts';
import { hadEffect } from '../intent/record.ts';
import type { RecordPool } from '../intent/scope.ts';

/** The records of an earlier attempt of the same subtask, or of the coordinator before a resume, as they were proposed. */
export function createRecordPool(records: readonly IntentRecord[]): RecordPool {
  let left = [...records];
  return {
    take(wireId, requestHash) {
      const same = left.filter((record) => requested(record) === requestHash);
      const mine = same.filter((one) => wireId !== undefined && one.wireId === wireId);
      const record = bestOf(mine.length > 0 ? mine : same);
      const used = record ? [record, ...mine, ...supersededBy(record, same)] : [];
      left = left.filter((one) => !used.includes(one));
      return record;
    },
    left: () => left,
    asking: undefined,
  };
}

/** The records that answer the requests of an attempt if it is repeated, in order: without failed tries that were repeated. */
export function answeringRecords(records: readonly IntentRecord[]): readonly IntentRecord[] {
  const pool = createRecordPool(records);
  return records.flatMap((one) => pool.take(one.wireId ?? undefined, requested(one)) ?? []);
}

/** A capsule repeats its own request, not the one that a hook made of it. */
const requested = ({ askedHash, requestHash }: IntentRecord): string => askedHash ?? requestHash;

/** A request that was repeated has two records: the one with a usable outcome is used. */
const bestOf = (records: readonly IntentRecord[]): IntentRecord | undefined =>
  records.find((record) => useOnResume(record) !== 'again') ?? records[0];

/** The failed tries before it: a failed model call is repeated, by a fallback or after a resume. */
const supersededBy = (record: IntentRecord, same: readonly IntentRecord[]) =>
  useOnResume(record) === 'again'
    ? []
    : same
        .slice(0, same.indexOf(record))
        .filter((one) => one.kind === 'chat' && useOnResume(one) === 'again');

/** The use of a record when its intent is requested again. */
type RecordUse =
  /** The recorded outcome is the answer. */
  | 'answer'
  /** It has not ended: the same row is continued, with its question if it has one. */
  | 'adopt'
  /** It is decided and performed as if it were new. */
  | 'again';

/**
 * A resume, and a retry after a technical failure, use `done` outcomes and final denials by a person or the policy;
 * failures of a provider, budgets, breakers and expiries are retried.
 */
export function useOnResume(record: IntentRecord): RecordUse {
  const { status, denial, outcome } = record;
  if (status === 'proposed' || status === 'waiting' || status === 'unknown') return 'adopt';
  const isFinal =
    status === 'done' ||
    (status === 'denied' && denial === 'denied' && outcome !== undefined) ||
    (status === 'failed' && !mayRetry(record));
  return isFinal ? 'answer' : 'again';
}

/** Whether it has no answer and waits for none, so that the capsule may ask for something else instead. */
export const isAskedAnew = (record: IntentRecord): boolean =>
  record.status === 'proposed' || useOnResume(record) === 'again';

/** The replay of a run uses every recorded outcome. */
export const useOnReplay = ({ outcome }: IntentRecord): RecordUse =>
  outcome === undefined ? 'again' : 'answer';

/** Whether a failed intent is safe to repeat: a call of a model or a service, or a cancelled one. */
function mayRetry(record: IntentRecord): boolean {
  if (hadEffect(record)) return false;
  const { error } = (record.outcome ?? {}) as { error?: { code?: string } };
  return record.kind !== 'tool' || error?.code === 'CANCELLED';
}

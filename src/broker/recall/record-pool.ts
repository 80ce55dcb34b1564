import type { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import { leftAnEffect } from '../tool-calls/left-an-effect.ts';

/** What an earlier attempt of the same subtask (or the same run, killed) had asked for, and what it was told. */
export interface RecordPool {
  /**
   * Takes the record that an intent repeats: the one with its id and hash, else the first one left with its hash.
   * Undefined where none matches.
   */
  take(wireId: string | undefined, requestHash: string): IntentRecord | undefined;
  /** Records that nothing has asked for again, in their order. */
  left(): readonly IntentRecord[];
  /** Whether it may go its own way, while a person is asked. Resolves with why not. */
  asking: Promise<AppError | undefined> | undefined;
}

/** @param records In the order in which they were proposed. */
export function createRecordPool(records: readonly IntentRecord[]): RecordPool {
  let left = [...records];
  return {
    take(wireId, requestHash) {
      const same = left.filter((record) => askedFor(record) === requestHash);
      const mine = same.filter((one) => wireId !== undefined && one.wireId === wireId);
      const record = bestOf(mine.length > 0 ? mine : same);
      if (record) left = left.filter((one) => one !== record && !mine.includes(one));
      return record;
    },
    left: () => left,
    asking: undefined,
  };
}

/** A capsule asks again for what it asked for, not for what a hook made of it. */
const askedFor = ({ askedHash, requestHash }: IntentRecord): string => askedHash ?? requestHash;

/** What a later attempt tried anew has two records: the one that settles it is used. */
const bestOf = (records: readonly IntentRecord[]): IntentRecord | undefined =>
  records.find((record) => useOnResume(record) !== 'again') ?? records[0];

/** What a record is good for when its intent comes again. */
export type RecordUse =
  /** It is answered with the recorded outcome. */
  | 'answer'
  /** It is not decided yet, or its question still stands or was answered meanwhile: the same row goes on. */
  | 'adopt'
  /** It is decided and performed as if it had never been asked. */
  | 'again';

/**
 * A resume, and a retry after a technical failure, use what was done and what a person or the policy refused for good;
 * failures of a provider, budgets, breakers and expiries are tried anew.
 */
export function useOnResume(record: IntentRecord): RecordUse {
  switch (record.status) {
    case 'done':
      return 'answer';
    case 'denied':
      return record.denial === 'denied' && record.outcome !== undefined ? 'answer' : 'again';
    case 'failed':
      return isTriedAnew(record) ? 'again' : 'answer';
    case 'proposed':
    case 'waiting':
    case 'unknown':
      return 'adopt';
    case 'started':
      return 'again';
  }
}

/** The replay of a run uses every outcome that there is. */
export const useOnReplay = ({ outcome }: IntentRecord): RecordUse =>
  outcome === undefined ? 'again' : 'answer';

/** What failed and can be made again without harm: a call of a model or a service, what was cut off. */
function isTriedAnew(record: IntentRecord): boolean {
  if (leftAnEffect(record)) return false;
  const { error } = (record.outcome ?? {}) as { error?: { code?: string } };
  return record.kind !== 'tool' || error?.code === 'CANCELLED';
}

import { once } from 'node:events';
import type { Broker } from '../../broker/answer.ts';
import { hadEffect } from '../../broker/intent/record.ts';
import type { AttemptScope, RecordPool } from '../../broker/intent/scope.ts';
import { useOnReplay } from '../../broker/recall/record-pool.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Intent, IntentReply, WireError } from '../../contract/protocol.ts';
import { canonicalHash, canonicalJson } from '../../platform/canonical-hash.ts';
import type { ReplayTrack } from './replay-track.ts';

/** A broker that decides nothing and does nothing: it tells again what was told, as long as the same is asked. */
export function createReplayBroker(track: ReplayTrack): Broker {
  return {
    async answer(intent, scope) {
      const pool = poolFor(scope, track);
      scope.tally.intents += 1;
      const request = requestOf(intent);
      const record = pool?.take(intent.id, canonicalHash(request));
      if (!record) {
        const [expected] = pool?.left() ?? [];
        const error = track.diverge({
          where: whereOf(scope, track),
          recorded: expected ? told(expected.request) : 'nothing more was asked',
          now: told(request),
        });
        scope.end(error);
        return refusal(intent, error);
      }
      count(record, scope);
      if (useOnReplay(record) === 'answer') return replyOf(intent, record);
      return refusal(intent, await unanswered(scope, track));
    },
  };
}

/** How long a capsule may wait for an answer that it did not get then, before it ended. */
const SILENCE_MS = 30_000;

/** An answer is outstanding in the recording: the attempt had ended before it came. */
async function unanswered(scope: AttemptScope, track: ReplayTrack): Promise<WireError> {
  const tooLong = AbortSignal.timeout(SILENCE_MS);
  const over = AbortSignal.any([scope.signal, tooLong]);
  if (!over.aborted) await once(over, 'abort');
  if (scope.signal.aborted) return { code: 'CANCELLED', message: 'No answer is recorded.' };
  const error = track.diverge({
    where: whereOf(scope, track),
    recorded: 'it ended before the answer came',
    now: `it waits for the answer for ${SILENCE_MS} ms`,
  });
  scope.end(error);
  return error;
}

/** A value as a divergence shows it. */
export const told = (value: unknown): string =>
  typeof value === 'string' ? value : canonicalJson(value ?? null);

const poolFor = (scope: AttemptScope, track: ReplayTrack): RecordPool | undefined =>
  scope.attemptId === null ? track.own : track.current(scope.subtaskId)?.pool;

/** What the hash of an intent is made of: `requestOf` of the kinds in `broker/calls/`. */
const requestOf = (intent: Intent): unknown =>
  intent.type === 'tool_call_intent' ? { tool: intent.tool, args: intent.args } : intent.request;

function whereOf({ attemptId, subtaskId, tally }: AttemptScope, track: ReplayTrack): string {
  const attempt = track.current(subtaskId)?.attempt;
  if (attemptId === null || !attempt) return "the coordinator's own calls";
  return `subtask ${subtaskId}, attempt ${attempt.number} of ${attempt.capsuleId}, request ${tally.intents}`;
}

/** The same sums as when it was carried out: how an attempt is judged depends on them. */
function count(record: IntentRecord, { tally, attemptId }: AttemptScope): void {
  const isTool = record.kind !== 'chat';
  if (isTool) tally.toolCalls += 1;
  else tally.modelCalls += 1;
  const began = record.tier > 0 && record.startedAt !== null;
  if (isTool && (began || hadEffect(record))) tally.effects += 1;
  if (record.denial !== null) tally.denial = record.denial;
  const { error } = (record.outcome ?? {}) as { error?: { code?: string } };
  if (attemptId !== null && !isTool && error?.code === 'PROVIDER_FAILED')
    tally.denial ??= 'provider';
}

function replyOf(intent: Intent, record: IntentRecord): IntentReply {
  if (intent.type === 'tool_call_intent') {
    return { type: 'tool_call_result', ...(record.outcome as { ok: boolean }) };
  }
  return apiReplyOf(record);
}

/** What a model call's outcome leaves out follows from its row. */
export function apiReplyOf({ outcome, denial }: IntentRecord): IntentReply {
  const { approved, note, error, ...rest } = outcome as RecordedDecision;
  const words = note ?? error?.message ?? '';
  const why = error ?? (approved ? undefined : { code: denial ?? 'denied', message: words });
  return {
    type: 'api_call_decision',
    approved,
    note: words,
    ...rest,
    ...(why ? { error: why } : {}),
  };
}

interface RecordedDecision {
  readonly approved: boolean;
  readonly note?: string;
  readonly error?: WireError;
}

function refusal(intent: Intent, { code, message }: WireError): IntentReply {
  const error = { code, message };
  return intent.type === 'tool_call_intent'
    ? { type: 'tool_call_result', ok: false, error }
    : { type: 'api_call_decision', approved: false, note: message, error };
}

import { once } from 'node:events';
import type { Broker } from '../../broker/answer.ts';
import { hadEffect, noteDiscarded } from '../../broker/intent/record.ts';
import type { AttemptScope, RecordPool } from '../../broker/intent/scope.ts';
import { useOnReplay } from '../../broker/recall/record-pool.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type {
  ApiCallDecision,
  IntentReply,
  WireError,
} from '../../contract/wire/coordinator-messages.ts';
import { errorReply } from '../../contract/wire/error-reply.ts';
import { type Intent, toolRequest } from '../../contract/wire/protocol.ts';
import { canonicalHash } from '../../platform/text/canonical-hash.ts';
import { type ReplayProgress, shownValue } from './replay-progress.ts';

/** A broker that decides and performs nothing: it answers each recorded request with the recorded answer. */
export function createReplayBroker(progress: ReplayProgress): Broker {
  return {
    async answer(intent, scope) {
      const pool = poolFor(scope, progress);
      scope.tally.intents += 1;
      const request = requestOf(intent);
      const record = pool?.take(intent.id, canonicalHash(request));
      if (!record) {
        const [expected] = pool?.left() ?? [];
        const error = progress.diverge({
          where: whereOf(scope, progress),
          recorded: expected ? shownValue(expected.request) : 'no further request',
          now: shownValue(request),
        });
        scope.end(error);
        return errorReply(intent, error);
      }
      count(record, scope);
      if (useOnReplay(record) === 'answer') return replyOf(record);
      return errorReply(intent, await unanswered(scope, progress));
    },
  };
}

/** How long a capsule may wait for an answer that the recorded attempt never got. */
const SILENCE_MS = 30_000;

/** The recorded attempt ended before it got this answer, so this one must end, too. */
async function unanswered(scope: AttemptScope, progress: ReplayProgress): Promise<WireError> {
  const tooLong = AbortSignal.timeout(SILENCE_MS);
  const over = AbortSignal.any([scope.signal, tooLong]);
  if (!over.aborted) await once(over, 'abort');
  if (scope.signal.aborted) return { code: 'CANCELLED', message: 'No answer is recorded.' };
  const error = progress.diverge({
    where: whereOf(scope, progress),
    recorded: 'it ended before this answer',
    now: `it waited for the answer for ${SILENCE_MS} ms`,
  });
  scope.end(error);
  return error;
}

const poolFor = (scope: AttemptScope, progress: ReplayProgress): RecordPool | undefined =>
  scope.attemptId === null ? progress.own : progress.current(scope.subtaskId)?.pool;

/** The value that the hash of an intent is computed from: see `requestOf` of each `CallKind`. */
const requestOf = (intent: Intent): unknown =>
  intent.type === 'tool_call_intent' ? toolRequest(intent) : intent.request;

function whereOf({ attemptId, subtaskId, tally }: AttemptScope, progress: ReplayProgress): string {
  const attempt = progress.current(subtaskId)?.attempt;
  if (attemptId === null || !attempt) return "the coordinator's own calls";
  return `subtask ${subtaskId}, attempt ${attempt.number} of ${attempt.capsuleId}, request ${tally.intents}`;
}

/** Counts like the original run: the verdict on an attempt depends on these numbers. */
function count(record: IntentRecord, scope: AttemptScope): void {
  const { tally, attemptId } = scope;
  const isTool = record.kind !== 'chat';
  if (isTool) tally.toolCalls += 1;
  else tally.modelCalls += 1;
  const began = record.tier > 0 && record.startedAt !== null;
  if (isTool && (began || hadEffect(record))) tally.effects += 1;
  if (record.denial !== null) tally.denial = record.denial;
  noteDiscarded(record, scope);
  const { error } = (record.outcome ?? {}) as { error?: { code?: string } };
  if (attemptId !== null && !isTool && error?.code === 'PROVIDER_FAILED')
    tally.denial ??= 'provider';
}

/** The recorded reply, that to a model call completed from its row. */
export function replyOf({ kind, outcome, denial }: IntentRecord): IntentReply {
  if (kind === 'tool') return { type: 'tool_call_result', ...(outcome as { ok: boolean }) };
  const { approved, note, error, ...rest } = outcome as Omit<ApiCallDecision, 'note'> & {
    note?: string;
  };
  const words = note ?? error?.message ?? '';
  const why = error ?? (approved ? undefined : { code: denial ?? 'denied', message: words });
  return {
    ...rest,
    type: 'api_call_decision',
    approved,
    note: words,
    ...(why && { error: why }),
  };
}

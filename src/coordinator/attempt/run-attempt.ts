import { join, resolve } from 'node:path';
import type { FileLedger } from '../../broker/intent/file-ledger.ts';
import { hadEffect } from '../../broker/intent/record.ts';
import {
  type AttemptScope,
  type AttemptTally,
  newTally,
  type RecordPool,
} from '../../broker/intent/scope.ts';
import { createRecordPool, isAskedAnew } from '../../broker/recall/record-pool.ts';
import { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Reason } from '../../contract/status.ts';
import type { CoordinatorRequest } from '../../contract/wire/coordinator-messages.ts';
import type { AgentResponse } from '../../contract/wire/protocol.ts';
import { isStorageFailure } from '../../db/health/storage-failure.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import { sharedController, sharedSignal } from '../../platform/shared-signal.ts';
import { isShippedCode } from '../../registry/manifest/shipped-code.ts';
import { stateAt } from '../../tools/files/path-state.ts';
import { resolveExisting } from '../../tools/files/paths.ts';
import type { RunContext } from '../context/run-context.ts';
import { failureOf, reasonOf } from '../failure.ts';
import { judgeFinal } from '../final/judge-final.ts';
import { checkFinal } from '../final/missing-output.ts';
import { createMessageFeed } from '../messages/message-feed.ts';
import { isInterrupted } from '../stop/run-stop.ts';
import type { RunRecord } from '../store/runs/run-record.ts';
import type { AttemptStart } from '../store/subtasks/subtask-record.ts';
import type { AttemptPlan } from './attempt-basis.ts';
import { memoriesOf, recallFor, showMemories } from './attempt-memory.ts';
import { buildRequest } from './build-request.ts';
import { type AttemptOutcome, failed, noteUse, wasInterrupted } from './note-use.ts';

/**
 * Runs one attempt: one capsule process, from the start to the end of its row. A failure of the capsule is a result, not an exception.
 *
 * @throws The error of the database if a row can't be written. The row is then unchanged.
 */
export async function runAttempt(run: RunContext, plan: AttemptPlan): Promise<AttemptOutcome> {
  const { parts, record } = run;
  const { step, capsule, number } = plan;
  const recorded = plan.earlier
    ? await withoutStaleReads(parts.journal.recordOf(plan.earlier.id), record, parts.files)
    : (plan.recalled ?? []);
  const attempt: AttemptStart = {
    id: uuidv7(),
    runId: record.id,
    subtaskId: step.id,
    number,
    capsuleId: capsule.id,
    capsuleHash: capsule.hash,
    request: await requestOf(run, plan, recorded),
  };
  // Queued before any intent of the attempt, since the journal writes in order.
  parts.journal.noteSoon(() => {
    parts.subtasks.startAttempt(attempt);
    // If this attempt dies before it has replayed all of them, the next one replays the same record.
    for (const { id } of recorded) parts.journal.reuseSoon(attempt.id, id);
  });
  const about = { run_id: record.id, subtask_id: step.id, capsule_id: capsule.id };
  parts.events.emit({ type: 'subtask.started', ...about, attempt: number });

  const tally = newTally();
  const startedMs = performance.now();
  const pool = plan.earlier || plan.recalled ? createRecordPool(recorded) : undefined;
  const { response, error, waitedMs } = await runProcess(run, plan, {
    attempt,
    tally,
    about,
    pool,
  });
  if (isStorageFailure(error)) throw error;
  const outcome = response
    ? await judgeFinal(run, plan, { response, tally })
    : fail(run, error, tally);
  const durationMs = performance.now() - startedMs;
  const metrics = {
    ...response?.metrics,
    duration_ms: Math.round(durationMs),
    intents: tally.intents,
    model_calls: tally.modelCalls,
    tool_calls: tally.toolCalls,
    cost_micro_usd: tally.costMicroUsd,
  };
  const written = memoriesOf(run, outcome.ok ? response : undefined);
  const unused = (response && pool?.left()) ?? [];
  const outdated = outcome.ok ? unused : unused.filter(isAskedAnew);
  let quarantinedFor: string | undefined;
  parts.journal.note(() => {
    parts.subtasks.endAttempt(attempt, {
      status: statusOf(outcome),
      reason: outcome.ok ? null : endReason(run, outcome.reason),
      error: outcome.ok ? null : outcome.failure,
      metrics,
      ...written,
      response,
    });
    quarantinedFor = noteUse(run, { capsule, outcome, durationMs: durationMs - waitedMs, tally });
    if (outcome.ok) plan.onSuccess(outcome.result);
    for (const { id } of outdated) parts.journal.forgetSoon(attempt.id, id);
  });
  showMemories(run, about, written);
  const code = outcome.ok ? null : outcome.failure.code;
  parts.events.emit({ type: 'capsule.ended', ...about, ok: outcome.ok, code });
  if (quarantinedFor !== undefined)
    parts.events.emit({ type: 'capsule.quarantined', ...about, reason: quarantinedFor });
  return outcome;
}

/** The reason of an attempt: if the run parked, that of the run. */
const endReason = ({ scope }: RunContext, reason: Reason): Reason =>
  reason === 'interrupted' && scope.parking.signal.reason === 'approval' ? 'approval' : reason;

function statusOf(outcome: AttemptOutcome): 'completed' | 'failed' | 'interrupted' {
  if (outcome.ok) return 'completed';
  return wasInterrupted(outcome) ? 'interrupted' : 'failed';
}

/**
 * An attempt that continues another one gets the same request, so that it makes the same requests; if that one failed, with its failure.
 * Without a recorded answer, it also gets the newer messages of the person: else they come with the last answer. Secrets are removed.
 */
async function requestOf(
  run: RunContext,
  plan: AttemptPlan,
  recorded: readonly IntentRecord[],
): Promise<CoordinatorRequest> {
  const { step, kind, number: attempt, earlier, failures = [] } = plan;
  const { provider, redactor, messages } = run.parts;
  if (earlier?.request) {
    const request = earlier.request as CoordinatorRequest;
    const added = earlier.status === 'failed' ? { failures: [...failures] } : {};
    const context = { ...request.context, ...redactor.redact(added) };
    const feed = createMessageFeed(messages, run.record.id, context.messages ?? []);
    const isUnanswered = recorded.every(isAskedAnew);
    return { ...request, attempt, context: isUnanswered ? feed.addTo(context) : context };
  }
  const memory = recallFor(run, plan);
  const hint = step.hint ?? run.record.request.hint ?? kind.hint;
  const contextTokens = kind.mode === 'agentic' ? await provider.contextTokens?.(hint) : undefined;
  return redactor.redact(buildRequest(run, plan, { memory, hint, contextTokens }));
}

interface ProcessContext {
  /** Recorded outcomes to reuse. */
  readonly pool: RecordPool | undefined;
  readonly attempt: AttemptStart;
  readonly tally: AttemptTally;
  readonly about: {
    readonly run_id: string;
    readonly subtask_id: string;
    readonly capsule_id: string;
  };
}

async function runProcess(
  run: RunContext,
  plan: AttemptPlan,
  { attempt, tally, about, pool }: ProcessContext,
): Promise<{ response?: AgentResponse; error?: unknown; waitedMs: number }> {
  const { parts, scope } = run;
  const { step, capsule, pause } = plan;
  const ending = sharedController();
  let endedBy: AppError | undefined;
  const end = (error: AppError) => {
    endedBy ??= error;
    ending.abort('now');
  };
  const stop = () => ending.abort(run.signal.reason);
  if (run.signal.aborted) stop();
  run.signal.addEventListener('abort', stop);
  const work = watchWork(scope.parking.signal, () => end(new AppError('RUN_PARKED', {})));
  const { emit } = parts.events;
  let either: AbortSignal | undefined;
  const who: AttemptScope = {
    run: scope,
    attemptId: attempt.id,
    subtaskId: step.id,
    capsuleId: capsule.id,
    capsuleHash: capsule.hash,
    grants: new Map(Object.entries(capsule.manifest.grants.tools)),
    services: capsule.manifest.grants.services,
    isForModel: plan.kind.mode === 'agentic',
    signal: ending.signal,
    ending: ending.signal,
    pause: (wait) => work.pause(() => pause(wait)),
    end,
    parkForProvider() {
      scope.isProviderOut = true;
      end(new AppError('RUN_PARKED', {}));
    },
    tally,
    checkFinal: checkFinal(run, plan, tally),
    ...(pool && { record: pool }),
    ...(plan.kind.mode === 'agentic' && {
      messages: createMessageFeed(parts.messages, scope.id, attempt.request.context.messages ?? []),
    }),
  };
  try {
    const response = await parts.runCapsule({
      capsule: capsule.id,
      dir: capsule.dir,
      entrypoint: capsule.manifest.entrypoint,
      sdkPath: parts.paths.sdk,
      isShipped: isShippedCode(capsule),
      request: attempt.request,
      onIntent: (intent, over, waitForReader) => {
        either ??= sharedSignal([ending.signal, over]);
        return work.add(parts.broker.answer(intent, { ...who, signal: either, waitForReader }));
      },
      onProgress: ({ text, fraction }) =>
        emit({ type: 'capsule.progressed', ...about, text, fraction: fraction ?? null }),
      clean: parts.redactor.redact,
      onNoise: (text) => emit({ type: 'capsule.noise', ...about, text }),
      onStart: (pid) =>
        emit({ type: 'capsule.started', ...about, pid, isolation: parts.isolation }),
      timeoutMs: parts.limits.capsuleTimeoutMs,
      lineBytes: parts.limits.lineBytes,
      logFile: join(parts.paths.homeOf(capsule), 'logs', `${attempt.id}.log`),
      signal: ending.signal,
      killSignal: run.killSignal,
    });
    return { response, waitedMs: work.waitedMs() };
  } catch (error) {
    return { error: endedBy ?? error, waitedMs: work.waitedMs() };
  } finally {
    await work.settled();
    run.signal.removeEventListener('abort', stop);
  }
}

/** Tracks the intents of an attempt. Calls `onQuiet` when the run parks and every unfinished intent waits for a person. */
function watchWork(parking: AbortSignal, onQuiet: () => void) {
  const underWay = new Set<Promise<unknown>>();
  let waiting = 0;
  let waitedMs = 0;
  let waitsSinceMs = 0;
  const check = () => {
    if (parking.aborted && waiting > 0 && underWay.size === waiting) onQuiet();
  };
  parking.addEventListener('abort', check);
  return {
    async add<T>(answer: Promise<T>): Promise<T> {
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
        check();
      }
    },
    async pause<T>(wait: () => Promise<T>): Promise<T> {
      if (waiting === 0) waitsSinceMs = performance.now();
      waiting += 1;
      check();
      try {
        return await wait();
      } finally {
        waiting -= 1;
        if (waiting === 0) waitedMs += performance.now() - waitsSinceMs;
      }
    },
    /** How long at least one intent waited for a person, in total. */
    waitedMs: () => waitedMs + (waiting > 0 ? performance.now() - waitsSinceMs : 0),
    async settled(): Promise<void> {
      parking.removeEventListener('abort', check);
      await Promise.allSettled(underWay);
    },
  };
}

function fail({ signal }: RunContext, error: unknown, tally: AttemptTally): AttemptOutcome {
  const stopped = isInterrupted(signal) ? 'interrupted' : 'cancelled';
  return failed(failureOf(error), tally, signal.aborted ? stopped : reasonOf(error));
}

/**
 * The record that an attempt replays from an earlier one, without reads of files that changed since or were not read
 * completely, unless an effect followed them. Otherwise it would work on outdated content, and its correct edits would fail.
 */
async function withoutStaleReads(
  records: readonly IntentRecord[],
  { id, workspace }: Pick<RunRecord, 'id' | 'workspace'>,
  files: Pick<FileLedger, 'knownTo'>,
): Promise<readonly IntentRecord[]> {
  const lastEffect = records.findLastIndex(hadEffect);
  const stale = new Set<IntentRecord>();
  for (const record of records.slice(lastEffect + 1)) {
    if (record.name !== 'file_io.read' || record.status !== 'done') continue;
    const path = resolveExisting(resolve(workspace, record.target));
    const known = files.knownTo(id, path);
    const isSame = known !== undefined && (await stateAt(path).catch(() => undefined)) === known;
    if (!isSame) stale.add(record);
  }
  return records.filter((record) => !stale.has(record));
}

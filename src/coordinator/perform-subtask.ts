import { newTally } from '../broker/intent/scope.ts';
import { AppError } from '../contract/errors.ts';
import { isStorageFailure } from '../db/storage-failure.ts';
import { agreedHashOf } from './agreed-hash.ts';
import { attemptBasis, effectsOf, isBeforeRetry } from './attempt-basis.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import type { Candidate } from './candidate.ts';
import { failureOf, reasonOf } from './failure.ts';
import { isNotForIt, wasBrokenOff } from './note-use.ts';
import type { Step } from './plan.ts';
import { retryAfter } from './retry-after.ts';
import { routeSubtask } from './route-subtask.ts';
import { runAttempt } from './run-attempt.ts';
import type { RunContext } from './run-context.ts';
import { isInterrupted } from './run-stop.ts';
import type { Outcome, Pause } from './scheduler.ts';
import type { AttemptRecord, SubtaskEnd } from './subtask-store.ts';

/** Without a model, this many capsules of the short list are tried where the first does not understand its task. */
const MAX_CANDIDATES = 3;

/**
 * Finds a capsule for one subtask and runs it until it has ended. A failed subtask is an ending, not a throw.
 *
 * @throws What the database throws where it can't be written.
 */
export async function performSubtask(run: RunContext, step: Step, pause: Pause): Promise<Outcome> {
  const { parts, record } = run;
  const startedMs = performance.now();
  const end = await carryOut(run, step, pauseOf(run, step, pause));
  if (end.reason === 'interrupted' && run.scope.parking.signal.aborted) {
    parts.journal.note(() => parts.subtasks.setStatus(record.id, step.id, parkedStatus(run, step)));
    return 'parked';
  }
  if (end.status !== 'completed') {
    parts.journal.note(() => parts.subtasks.end(record.id, step.id, end));
  }
  const status = end.status as Outcome & SubtaskEnd['status'];
  parts.events.emit({
    type: 'subtask.ended',
    run_id: record.id,
    subtask_id: step.id,
    capsule_id: end.capsuleId,
    status,
    reason: end.reason,
    message: end.error?.message ?? null,
    duration_ms: Math.round(performance.now() - startedMs),
  });
  return status;
}

/** A subtask that was interrupted while it worked starts again; any other waits for an answer. */
function parkedStatus({ parts, record, signal }: RunContext, step: Step) {
  const asks = parts.approvals
    .of(record.id)
    .some(({ subtaskId, status }) => subtaskId === step.id && status === 'pending');
  return isInterrupted(signal) && !asks ? 'pending' : 'waiting_approval';
}

/** A subtask that waits for a person says so in its row. */
const pauseOf =
  ({ parts, record }: RunContext, step: Step, pause: Pause): Pause =>
  async (wait) => {
    const tell = (status: 'waiting_approval' | 'running') =>
      parts.journal.note(() => parts.subtasks.setStatus(record.id, step.id, status));
    tell('waiting_approval');
    try {
      return await pause(wait);
    } finally {
      tell('running');
    }
  };

/** What completed has its row by then: it is written in the transaction that ends the attempt. */
async function carryOut(run: RunContext, step: Step, pause: Pause): Promise<SubtaskEnd> {
  const nothing = { result: undefined, capsuleId: null };
  try {
    const candidates = await routeSubtask(run, step, pause);
    const before = run.isResumed ? run.parts.subtasks.attemptsOf(run.record.id, step.id) : [];
    const { outcome, by } = await tryInTurn(run, step, { candidates, before, pause });
    const capsuleId = by.capsule.id;
    if (outcome.ok) return completed(capsuleId, outcome.result);
    const status = outcome.reason === 'cancelled' ? 'cancelled' : 'failed';
    return { ...nothing, capsuleId, status, reason: outcome.reason, error: outcome.failure };
  } catch (error) {
    if (isStorageFailure(error)) throw error;
    const reason = run.scope.parking.signal.aborted ? 'interrupted' : reasonOf(error);
    return { ...nothing, status: 'failed', reason, error: failureOf(error) };
  }
}

const completed = (capsuleId: string, result: unknown): SubtaskEnd => ({
  status: 'completed',
  reason: null,
  result,
  error: null,
  capsuleId,
});

interface Turn {
  readonly outcome: AttemptOutcome;
  readonly by: Candidate;
}

interface Turns {
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** Attempts that were made before this process took the run up. */
  readonly before: readonly AttemptRecord[];
  readonly pause: Pause;
}

/** The first candidate that takes the task decides; where none does, the first one's reason stands. */
async function tryInTurn(run: RunContext, step: Step, turns: Turns): Promise<Turn> {
  const { candidates, before, pause } = turns;
  const most = run.parts.provider.isModel ? 1 : MAX_CANDIDATES;
  const last = before.at(-1);
  const from = candidates.findIndex(({ capsule }) => capsule.id === last?.capsuleId);
  let first: Turn | undefined;
  let made = before.length;
  for (const by of candidates.slice(Math.max(from, 0), most)) {
    await assertAgreed(run, step, { by, pause });
    const mine = before.filter(({ capsuleId }) => capsuleId === by.capsule.id);
    const tried = await tryOne(run, step, { by, before: mine, pause, made });
    made = tried.made;
    const turn = { outcome: tried.outcome, by };
    if (!isNotForIt(turn.outcome)) return turn;
    first ??= turn;
  }
  if (!first) throw new Error('a subtask was routed to no capsule');
  return first;
}

/** @throws AppError `INTENT_DENIED` where the capsule's files changed and a person did not agree to them. */
async function assertAgreed(
  { parts, scope }: RunContext,
  step: Step,
  { by: { capsule }, pause }: { readonly by: Candidate; readonly pause: Pause },
): Promise<void> {
  const { id, dir, origin, overlay, manifest } = capsule;
  const isShipped = origin === 'shipped' && overlay === undefined;
  const hash = agreedHashOf(capsule);
  const seen = { id, dir, hash, isShipped, grants: manifest.grants };
  if (await parts.capsuleGate.mayRun({ scope, subtaskId: step.id, capsule: seen, pause })) return;
  const sentence = 'Its files changed, and a person did not agree to them.';
  throw new AppError('INTENT_DENIED', { what: `Capsule "${id}"`, reason: 'denied', sentence });
}

interface Tries {
  readonly by: Candidate;
  /** Its attempts before this process took the run up. */
  readonly before: readonly AttemptRecord[];
  readonly pause: Pause;
  /** Attempts of the subtask so far, whoever made them. */
  readonly made: number;
}

interface Tried {
  readonly outcome: AttemptOutcome;
  /** Attempts of the subtask up to now. */
  readonly made: number;
}

/**
 * Attempts of one capsule. After a technical failure, and after a crash of ours, the next one is told again what the last
 * one was told, so that no effect is repeated; after a result that is none it starts afresh and knows what stands.
 */
async function tryOne(
  run: RunContext,
  step: Step,
  { by, before, pause, made }: Tries,
): Promise<Tried> {
  const { subtasks, registry, limits } = run.parts;
  const { id } = run.record;
  const { id: capsuleId } = by.capsule;
  const onSuccess = (result: unknown) => {
    subtasks.end(id, step.id, completed(capsuleId, result));
    registry.noteCompleted(capsuleId, step.description);
  };
  let rows = before;
  let number = made;
  for (;;) {
    const last = rows.at(-1);
    const counted = rows.filter((row) => !isBeforeRetry(run, row));
    if (last && isUsedUp(counted, limits.maxAttempts))
      return { outcome: outcomeOf(run, last), made: number };
    number += 1;
    const basis = attemptBasis(run, rows);
    const outcome = await runAttempt(run, { step, ...by, number, pause, ...basis, onSuccess });
    if (outcome.ok || wasBrokenOff(outcome)) return { outcome, made: number };
    rows = subtasks.attemptsOf(id, step.id).filter((one) => one.capsuleId === capsuleId);
  }
}

/** Whether the last attempt failed and there is none to follow it. */
function isUsedUp(attempts: readonly AttemptRecord[], maxAttempts: number): boolean {
  const last = attempts.at(-1);
  if (last?.status !== 'failed') return false;
  const failures = attempts.filter(({ status }) => status === 'failed').length;
  return retryAfter(last) === 'never' || failures >= maxAttempts;
}

/** How an attempt ended, by its row. */
function outcomeOf(run: RunContext, attempt: AttemptRecord): AttemptOutcome {
  const { reason, error } = attempt;
  const effects = effectsOf(run, [attempt]).length;
  const failure = error ?? { code: 'INTERNAL', message: 'Nothing is known of how it failed.' };
  const tally = { ...newTally(), effects };
  return { ok: false, reason: reason ?? 'subtask_failed', failure, tally };
}

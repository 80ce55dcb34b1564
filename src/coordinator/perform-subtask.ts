import { AppError } from '../contract/errors.ts';
import { isStorageFailure } from '../db/health/storage-failure.ts';
import { agreedFilesOf, agreedHashOf, isAsShipped } from './agreed-capsule.ts';
import { attemptBasis, effectsOf, isBeforeRetry, retryAfter } from './attempt/attempt-basis.ts';
import { earlierFailures } from './attempt/earlier-failures.ts';
import {
  type AttemptOutcome,
  failed,
  handlesOtherTasks,
  hasDeclined,
  wasInterrupted,
} from './attempt/note-use.ts';
import { runAttempt } from './attempt/run-attempt.ts';
import type { RunContext } from './context/run-context.ts';
import { failureOf, reasonOf } from './failure.ts';
import { plainTextOf } from './final/synthesis.ts';
import type { Step } from './plan/plan.ts';
import { assertCapsuleLimit, type Candidate } from './route/candidate.ts';
import { callerIn } from './route/fill-gap.ts';
import { routeSubtask } from './route/route-subtask.ts';
import { secondCandidate } from './route/second-candidate.ts';
import type { Ending, Outcome, Pause } from './scheduler.ts';
import { isInterrupted } from './stop/run-stop.ts';
import type { AttemptRecord, SubtaskEnd } from './store/subtasks/subtask-record.ts';

/**
 * Finds a capsule for one subtask and runs it until the subtask has ended. A failure is an outcome, not an exception.
 *
 * @throws The error of the database if a row can't be written.
 */
export async function performSubtask(run: RunContext, step: Step, pause: Pause): Promise<Outcome> {
  const { parts, record } = run;
  const startedMs = performance.now();
  const end = await execute(run, step, pauseOf(run, step, pause));
  if (end.reason === 'interrupted' && isParking(run)) {
    parts.journal.note(() => parts.subtasks.setStatus(record.id, step.id, parkedStatus(run, step)));
    return 'parked';
  }
  endSubtask(run, step, { ...end, durationMs: Math.round(performance.now() - startedMs) });
  return end.status;
}

interface Ended extends SubtaskEnd {
  readonly status: Ending;
}

/** Reports the end of a subtask. Does not write the row of a completed one: the transaction that ends its attempt does. */
export function endSubtask(
  { parts, record }: RunContext,
  { id }: Step,
  { durationMs, ...end }: Ended & { readonly durationMs: number },
): void {
  const { status, reason, error, result, capsuleId = null } = end;
  if (status !== 'completed') parts.journal.note(() => parts.subtasks.end(record.id, id, end));
  const summary = resultSummary(result);
  parts.events.emit({
    type: 'subtask.ended',
    run_id: record.id,
    subtask_id: id,
    capsule_id: capsuleId,
    status,
    reason,
    message: error?.message ?? null,
    ...(summary !== undefined && { summary }),
    duration_ms: durationMs,
  });
}

const isParking = ({ scope }: RunContext): boolean =>
  scope.parking.signal.aborted || scope.isProviderOut;

/** `pending` if the subtask was interrupted while it worked; else it waits for an answer. */
function parkedStatus({ parts, record, signal, scope }: RunContext, step: Step) {
  const asks = parts.approvals
    .of(record.id)
    .some(({ subtaskId, status }) => subtaskId === step.id && status === 'pending');
  return (isInterrupted(signal) || scope.isProviderOut) && !asks ? 'pending' : 'waiting_approval';
}

/** Sets the status in the subtask's row while it waits for a person. */
const pauseOf =
  ({ parts, record }: RunContext, step: Step, pause: Pause): Pause =>
  async (wait) => {
    const setStatus = (status: 'waiting_approval' | 'running') =>
      parts.journal.note(() => parts.subtasks.setStatus(record.id, step.id, status));
    setStatus('waiting_approval');
    try {
      return await pause(wait);
    } finally {
      setStatus('running');
    }
  };

async function execute(run: RunContext, step: Step, pause: Pause): Promise<Ended> {
  try {
    const candidates = await routeSubtask(run, step, pause);
    const first = await tryInTurn(run, step, candidates, pause);
    const second = first.outcome.ok ? undefined : secondCandidate(run, step.id);
    if (second) assertCapsuleLimit(run, [second.capsule.id]);
    const { outcome, by } = second ? await tryOne(run, step, { by: second, pause }) : first;
    const capsuleId = by.capsule.id;
    if (outcome.ok) return { ...COMPLETED, capsuleId, result: outcome.result };
    const { reason, failure: error } = outcome;
    return { capsuleId, status: reason === 'cancelled' ? 'cancelled' : 'failed', reason, error };
  } catch (error) {
    if (isStorageFailure(error)) throw error;
    const reason = run.scope.parking.signal.aborted ? 'interrupted' : reasonOf(error);
    return { status: 'failed', reason, error: failureOf(error) };
  }
}

const COMPLETED = { status: 'completed', reason: null, error: null } as const;

interface Turn {
  readonly outcome: AttemptOutcome;
  readonly by: Candidate;
}

/**
 * Tries candidates, best first, until one accepts the task. If none does, returns the outcome of the best one that
 * handles such tasks.
 */
async function tryInTurn(
  run: RunContext,
  step: Step,
  candidates: readonly Candidate[],
  pause: Pause,
): Promise<Turn> {
  const before = attemptsOf(run, step);
  const from = firstToTry(run, candidates, before);
  const declined = candidates.slice(0, from).flatMap((by): Turn[] => {
    const last = before.findLast(({ capsuleId }) => capsuleId === by.capsule.id);
    return last ? [{ outcome: outcomeOf(run, last), by }] : [];
  });
  const most = run.parts.provider.isModel ? 1 : candidates.length;
  for (const by of candidates.slice(from, most)) {
    if (declined.some((turn) => isSameProgram(turn.by, by))) continue;
    const turn = await tryOne(run, step, { by, pause });
    if (!hasDeclined(turn.outcome)) return turn;
    declined.push(turn);
  }
  const inCharge = declined.find(({ outcome }) => !handlesOtherTasks(outcome)) ?? declined[0];
  if (!inCharge) throw new Error('a subtask was routed to no capsule');
  return declined.length > 1 ? withSpeaker(inCharge) : inCharge;
}

/** After several capsules declined, the failure says so, and whose words it has. */
function withSpeaker({ outcome, by }: Turn): Turn {
  if (outcome.ok || outcome.failure.code === 'NEEDS_MODEL') return { outcome, by };
  const { message } = outcome.failure;
  const said = `No capsule understands this without a language model. ${by.capsule.id}: ${message}`;
  return { outcome: { ...outcome, failure: { ...outcome.failure, message: said } }, by };
}

/** Shipped capsules with the same handler differ by their descriptions only. */
function isSameProgram(one: Candidate, other: Candidate): boolean {
  const [handler, same] = [one, other].map(({ capsule: { origin, manifest } }) =>
    origin === 'shipped' ? manifest.task_kinds.find(({ mode }) => mode === 'handler') : undefined,
  );
  return handler !== undefined && handler.name === same?.name;
}

const attemptsOf = ({ parts, record }: RunContext, { id }: Step): readonly AttemptRecord[] =>
  parts.subtasks.attemptsOf(record.id, id);

/**
 * The candidate that the run was interrupted at; the best one if all had declined and the failed run is resumed, since they
 * may now accept the task.
 */
function firstToTry(
  run: RunContext,
  candidates: readonly Candidate[],
  before: readonly AttemptRecord[],
): number {
  const last = before.at(-1);
  if (!last || (isBeforeRetry(run, last) && hasDeclined(outcomeOf(run, last)))) return 0;
  return Math.max(
    0,
    candidates.findIndex(({ capsule }) => capsule.id === last.capsuleId),
  );
}

async function assertAgreed(
  run: RunContext,
  step: Step,
  { by: { capsule }, pause }: Try,
): Promise<void> {
  const { quarantine, gates } = run.parts;
  const { id, dir, manifest } = capsule;
  const kind = isAsShipped(capsule) ? ('as_shipped' as const) : capsule.origin;
  const hash = agreedHashOf(capsule);
  const files = () => agreedFilesOf(capsule);
  // Of a shipped capsule, only the overlay can change.
  const place = (kind === 'shipped' && capsule.overlay?.path) || dir;
  const wasQuarantinedFor = quarantine.reasonBefore(capsule);
  const { grants } = manifest;
  const seen = { id, dir, place, hash, kind, grants, files, wasQuarantinedFor };
  if (await gates.capsule(callerIn(run, { step, pause }), seen)) return;
  const sentence = 'Its files changed, and nobody approved them as they are now.';
  throw new AppError('INTENT_DENIED', { what: `Capsule "${id}"`, reason: 'denied', sentence });
}

interface Try {
  readonly by: Candidate;
  readonly pause: Pause;
}

/**
 * The attempts of one capsule. After a technical failure or a crash of Capstan, the next attempt gets the recorded
 * outcomes of the last one, so that no effect is repeated. After an unusable result, it starts over and gets a list of
 * the applied effects.
 */
async function tryOne(run: RunContext, step: Step, { by, pause }: Try): Promise<Turn> {
  const { subtasks, registry, limits, quarantine } = run.parts;
  const { id: capsuleId } = by.capsule;
  const onSuccess = (result: unknown) => {
    subtasks.end(run.record.id, step.id, { ...COMPLETED, capsuleId, result });
    registry.noteCompleted(capsuleId, step.description);
  };
  await assertAgreed(run, step, { by, pause });
  for (;;) {
    const all = attemptsOf(run, step);
    const mine = all.filter((attempt) => attempt.capsuleId === capsuleId);
    const counted = mine.filter((attempt) => !isBeforeRetry(run, attempt));
    const last = mine.at(-1);
    if (last && isUsedUp(counted, limits.maxAttempts)) return { outcome: outcomeOf(run, last), by };
    const basis = { ...attemptBasis(run, mine), failures: earlierFailures(run, all) };
    const attempt = { step, ...by, number: all.length + 1, pause, ...basis, onSuccess };
    const outcome = await runAttempt(run, attempt);
    if (outcome.ok || wasInterrupted(outcome) || quarantine.find(by.capsule))
      return { outcome, by };
  }
}

function isUsedUp(attempts: readonly AttemptRecord[], maxAttempts: number): boolean {
  const last = attempts.at(-1);
  if (last?.status !== 'failed') return false;
  const failures = attempts.filter(({ status }) => status === 'failed').length;
  return retryAfter(last) === 'never' || failures >= maxAttempts;
}

function outcomeOf(run: RunContext, attempt: AttemptRecord): AttemptOutcome {
  const { reason, error } = attempt;
  const effects = effectsOf(run, [attempt]).length;
  const failure = error ?? { code: 'INTERNAL', message: 'The reason of the failure is not known.' };
  return failed(failure, { effects }, reason ?? 'subtask_failed');
}

const MAX_CHARS = 300;

/** The start of a Markdown line that is not prose: a table, heading, list, quotation or code. */
const NO_PROSE = /^(?:[|#>`~*+-]|\d+[.)]\s)/;

/**
 * The first sentence of a result, for one line about a finished step: on one line, without its full stop, at most 300
 * characters. Undefined if the result does not begin with prose.
 */
export function resultSummary(result: unknown): string | undefined {
  const text = plainTextOf(result)
    ?.trimStart()
    .slice(0, 4 * MAX_CHARS);
  if (text === undefined || NO_PROSE.test(text)) return undefined;
  const paragraph = (text.split(/\n\s*\n/)[0] ?? '').replace(/\s+/g, ' ').trim();
  const sentence = paragraph.split(/(?<=[.!?])\s/)[0] ?? '';
  const plain = sentence.replace(/[.:]$/, '');
  if (plain === '') return undefined;
  return plain.length > MAX_CHARS ? `${[...plain].slice(0, MAX_CHARS - 1).join('')}…` : plain;
}

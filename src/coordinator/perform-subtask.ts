import type { Capsule } from '../registry/capsule-store.ts';
import type { TaskKind } from '../registry/manifest.ts';
import { failureOf, reasonOf } from './failure.ts';
import type { Step } from './plan.ts';
import { routeSubtask } from './route-subtask.ts';
import { type AttemptOutcome, runAttempt } from './run-attempt.ts';
import type { RunContext } from './run-context.ts';
import type { Outcome, Pause } from './scheduler.ts';
import type { SubtaskEnd } from './subtask-store.ts';

/** A capsule and the kind of task it is given. */
export interface Candidate {
  readonly capsule: Capsule;
  readonly kind: TaskKind;
}

/** Without a model, this many capsules of the short list are tried where the first does not understand its task. */
const MOST_CANDIDATES = 3;

/** Codes by which a handler says that the task is not for it, before it has done anything. */
const notForMe = new Set(['NOT_UNDERSTOOD', 'NOT_SUPPORTED', 'NEEDS_MODEL', 'NOT_FOR_ME']);

/** Finds a capsule for one subtask and runs it until it has ended. A failed subtask is an ending, not a throw. */
export async function performSubtask(run: RunContext, step: Step, pause: Pause): Promise<Outcome> {
  const { parts, record } = run;
  const startedMs = performance.now();
  const end = await carryOut(run, step, pauseOf(run, step, pause));
  if (end.reason === 'interrupted' && run.scope.parking.signal.aborted) {
    parts.journal.note(() => parts.subtasks.setStatus(record.id, step.id, 'waiting_approval'));
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
    const { outcome, by } = await tryInTurn(run, step, { candidates, pause });
    const capsuleId = by.capsule.id;
    if (outcome.ok) return completed(capsuleId, outcome.result);
    const status = outcome.reason === 'cancelled' ? 'cancelled' : 'failed';
    return { ...nothing, capsuleId, status, reason: outcome.reason, error: outcome.failure };
  } catch (error) {
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

/** The first candidate that takes the task decides; where none does, the first one's reason stands. */
async function tryInTurn(
  run: RunContext,
  step: Step,
  { candidates, pause }: { candidates: readonly Candidate[]; pause: Pause },
): Promise<Turn> {
  let first: Turn | undefined;
  let made = 0;
  for (const by of candidates.slice(0, run.parts.provider.isModel ? 1 : MOST_CANDIDATES)) {
    const outcomes = await tryOne(run, step, { by, pause, made });
    made += outcomes.length;
    const turn = { outcome: outcomes.at(-1) as AttemptOutcome, by };
    if (!isNotForIt(turn.outcome)) return turn;
    first ??= turn;
  }
  if (!first) throw new Error('a subtask was routed to no capsule');
  return first;
}

/** Attempts of one capsule: again after a technical failure that left no effect behind. */
async function tryOne(
  run: RunContext,
  step: Step,
  { by, pause, made }: { by: Candidate; pause: Pause; made: number },
): Promise<readonly AttemptOutcome[]> {
  const outcomes: AttemptOutcome[] = [];
  for (;;) {
    const number = made + outcomes.length + 1;
    const onSuccess = (result: unknown) =>
      run.parts.subtasks.end(run.record.id, step.id, completed(by.capsule.id, result));
    const outcome = await runAttempt(run, { step, ...by, number, pause, onSuccess });
    outcomes.push(outcome);
    const mayRetry = !outcome.ok && outcome.isTechnical && outcome.tally.effects === 0;
    if (!mayRetry || outcomes.length >= run.parts.limits.maxAttempts) return outcomes;
  }
}

const isNotForIt = (outcome: AttemptOutcome): boolean =>
  !outcome.ok && outcome.tally.effects === 0 && notForMe.has(outcome.failure.code);

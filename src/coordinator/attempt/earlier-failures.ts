import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EarlierFailure } from '../../contract/wire/coordinator-messages.ts';
import { tryOr } from '../../platform/try-or.ts';
import { shownStderr } from '../../runtime/process/kept-stderr.ts';
import type { RunContext } from '../context/run-context.ts';
import type { AttemptRecord } from '../store/subtasks/subtask-record.ts';
import { effectsOf, isBeforeRetry } from './attempt-basis.ts';

/** A request names at most this many failures, each with at most this many effects. */
const MAX_FAILURES = 5;
const MAX_EFFECTS = 50;

/** In characters. */
const MAX_MESSAGE = 4_000;
const MAX_STDERR = 2_000;

/** The failed ones of all attempts of a subtask, for its next one. */
export const earlierFailures = (
  run: RunContext,
  attempts: readonly AttemptRecord[],
): readonly EarlierFailure[] =>
  attempts
    .filter((attempt) => attempt.status === 'failed' && !isBeforeRetry(run, attempt))
    .slice(-MAX_FAILURES)
    .map((attempt) => failureIn(run, attempt));

function failureIn(run: RunContext, attempt: AttemptRecord): EarlierFailure {
  const { capsuleId, error } = attempt;
  const stderr = stderrOf(run, attempt);
  const effects = effectsOf(run, [attempt]).slice(-MAX_EFFECTS);
  return {
    capsule_id: capsuleId,
    code: error?.code ?? 'INTERNAL',
    message: (error?.message ?? '').slice(0, MAX_MESSAGE),
    ...(stderr === '' ? {} : { stderr }),
    ...(effects.length > 0 ? { effects: [...effects] } : {}),
  };
}

/** The end of the attempt's stderr; empty if it was not stored. */
function stderrOf({ parts }: RunContext, { id, capsuleId }: AttemptRecord): string {
  const capsule = parts.registry.find(capsuleId);
  if (!capsule) return '';
  return tryOr(() => {
    const log = join(parts.paths.homeOf(capsule), 'logs', `${id}.log`);
    return shownStderr(readFileSync(log, 'utf8'), MAX_STDERR).toWellFormed();
  }, '');
}

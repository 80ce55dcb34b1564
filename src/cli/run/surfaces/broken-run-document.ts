import { failureReason } from '../../../app/runs/show/failure-reason.ts';
import { failedWith } from '../../../contract/errors.ts';
import { errorOf, nextOf } from '../../errors/error-document.ts';
import { isBadInput } from '../../errors/is-bad-input.ts';
import type { PrintedRun } from './print-run.ts';

/** The document of a run that could not start or continue: all fields, and the error. `run_id` is null if no row exists. */
export function brokenRunDocument(error: unknown, run?: FailedRun): PrintedRun {
  return {
    run_id: run?.id ?? runIdOf(error),
    session_id: run?.sessionId ?? '',
    status: 'failed',
    reason: isBadInput(error) ? 'settings' : failureReason(error),
    answer: null,
    error: errorOf(error),
    provider: '',
    isolation: '',
    isolation_reason: '',
    duration_ms: 0,
    cost_usd: 0,
    usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 },
    subtasks: [],
    artifacts: [],
    approvals: [],
    denials: [],
    next: nextOf(error),
  };
}

/** A run whose row exists. */
interface FailedRun {
  readonly id: string;
  readonly sessionId: string;
}

const codesWithRun = ['RUN_NOT_PARKED', 'RUN_UNREADABLE', 'RUN_TAKEN_OVER'] as const;

function runIdOf(error: unknown): string | null {
  for (const code of codesWithRun) if (failedWith(error, code)) return error.details.id;
  return null;
}

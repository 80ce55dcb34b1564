import { failedWith } from '../contract/errors.ts';
import { errorOf, nextOf } from './error-document.ts';
import { isBadInput } from './is-bad-input.ts';
import type { PrintedRun } from './print-run.ts';

/** The document of a run that could not start: all fields, and the error. `run_id` is null if no row exists. */
export function brokenRunDocument(error: unknown): PrintedRun {
  return {
    run_id: failedWith(error, 'SETTINGS_INVALID') ? (error.details.runId ?? null) : null,
    session_id: '',
    status: 'failed',
    reason: isBadInput(error) ? 'settings' : 'crashed',
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
    next: nextOf(error),
  };
}

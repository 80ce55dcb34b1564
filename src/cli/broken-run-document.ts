import type { RunDocument } from '../coordinator/run-document.ts';
import { errorOf, nextOf } from './error-document.ts';
import { isBadInput } from './is-bad-input.ts';

/** The document of a run that could not start: all fields, and the error. `runId` is empty if no row exists. */
export function brokenRunDocument(error: unknown, runId: string): RunDocument {
  return {
    run_id: runId,
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

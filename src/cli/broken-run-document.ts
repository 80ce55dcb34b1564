import type { RunDocument } from '../app/runs/run-document.ts';
import { errorDocument } from './error-document.ts';
import { isBadInput } from './is-bad-input.ts';

/** What `--json` prints where no run could begin: the same fields, and the error. `runId` is empty where it has no row. */
export function brokenRunDocument(error: unknown, runId: string): RunDocument {
  return {
    run_id: runId,
    session_id: '',
    status: 'failed',
    reason: isBadInput(error) ? 'settings' : 'crashed',
    answer: null,
    ...errorDocument(error),
    provider: '',
    isolation: '',
    isolation_reason: '',
    duration_ms: 0,
    cost_usd: 0,
    usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 },
    subtasks: [],
    artifacts: [],
    approvals: [],
    next: [],
  };
}

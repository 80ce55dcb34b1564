import type { RunDocument } from '../coordinator/run-document.ts';
import { AppError, failedWith, messageOf } from '../errors.ts';

const badInput = ['SETTINGS_INVALID', 'USAGE', 'PLACE_UNUSABLE'] as const;

/** What `--json` prints where no run could begin: the same fields, and the error. `runId` is empty where it has no row. */
export function brokenRunDocument(error: unknown, runId: string): RunDocument {
  const isBadInput = badInput.some((code) => failedWith(error, code));
  return {
    run_id: runId,
    session_id: '',
    status: 'failed',
    reason: isBadInput ? 'settings' : 'crashed',
    answer: null,
    error: { code: error instanceof AppError ? error.code : 'INTERNAL', message: messageOf(error) },
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

import { failureReason } from '../../../app/runs/show/failure-reason.ts';
import type { StartedRun } from '../../../app/runs/start/started-run.ts';
import { failedWith } from '../../../contract/errors.ts';
import type { CommandIo } from '../../command.ts';
import { errorOf, nextOf } from '../../errors/error-document.ts';
import { isBadInput } from '../../errors/exit-codes.ts';
import { withCommands } from '../../errors/next-command.ts';
import { printJson, printJsonLine } from '../../io/print-json.ts';
import type { ClosedRun } from '../../report/closing-lines.ts';

export type PrintedRun = ClosedRun & {
  /** Warnings of this process about the run: ignored project files, capsules that were left out. */
  readonly notices?: readonly string[];
};

/** A run's document as `--json` prints it: each next step with the command line that does it. */
export const printedRun = (document: PrintedRun) => ({
  ...document,
  next: withCommands(document.next),
});

/** Prints it; with `--jsonl` on one line, which is the last. */
export function printRun(io: CommandIo, document: PrintedRun, isLine: boolean): void {
  if (isLine) printJsonLine(io, { type: 'result', ...printedRun(document) });
  else printJson(io, printedRun(document));
}

/** The document of a run that could not start or continue: all fields, and the error. `run_id` is null if no row exists. */
export function brokenRunDocument(
  error: unknown,
  run?: Pick<StartedRun, 'id' | 'sessionId'>,
): PrintedRun {
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
    failed_calls: [],
    next: nextOf(error),
  };
}

const codesWithRun = ['RUN_NOT_PARKED', 'RUN_UNREADABLE', 'RUN_TAKEN_OVER'] as const;

function runIdOf(error: unknown): string | null {
  for (const code of codesWithRun) if (failedWith(error, code)) return error.details.id;
  return null;
}

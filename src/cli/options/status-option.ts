import { AppError } from '../../contract/errors.ts';
import type { RunStatus } from '../../contract/status.ts';
import { didYouMean } from '../../contract/text/closest.ts';
import { printable } from '../../contract/text/printable.ts';

const statuses: readonly RunStatus[] = [
  'pending',
  'running',
  'parked',
  'completed',
  'failed',
  'cancelled',
];

/** The value of `--status`; undefined without one. @throws AppError `USAGE`. */
export function statusOption(option: unknown): RunStatus | undefined {
  if (option === undefined) return undefined;
  const found = statuses.find((status) => status === option);
  if (found) return found;
  const written = printable(String(option), 40);
  const problem = `--status is "${written}", which no run has. ${didYouMean(String(option), statuses)}`;
  throw new AppError('USAGE', { problem });
}

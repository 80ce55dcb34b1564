import { AppError } from '../../contract/errors.ts';
import { printable } from '../../contract/text/printable.ts';
import { momentOf } from '../text/moment.ts';

/** The value of `--since`; undefined without one. @throws AppError `USAGE`. */
export function sinceOption(option: unknown, now: Date): Date | undefined {
  if (option === undefined) return undefined;
  const since = momentOf(String(option), now, 'past');
  if (since) return since;
  const problem = `--since is "${printable(String(option), 40)}"; write a duration such as 90m, 12h, 7d or 4w, or a day such as 2026-11-01.`;
  throw new AppError('USAGE', { problem });
}

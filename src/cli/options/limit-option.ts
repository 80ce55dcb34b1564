import { AppError } from '../../contract/errors.ts';

/**
 * The value of `--limit`. Default: 20.
 *
 * @throws AppError `USAGE`.
 */
export function limitOption(option: unknown): number {
  const limit = Number(option ?? 20);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  const problem = `--limit is "${option}"; it must be a whole number from 1 to 10000.`;
  throw new AppError('USAGE', { problem });
}

import { AppError } from '../../contract/errors.ts';

/** An error about what was typed. @param field The argument of the API that it is about. */
export const usage = (problem: string, field?: string): AppError<'USAGE'> =>
  new AppError('USAGE', { problem, ...(field !== undefined && { field }) });

import { AppError } from './errors.ts';

/** A `USAGE` error. @param field The argument of the application API that it is about. */
export const usage = (problem: string, field?: string): AppError<'USAGE'> =>
  new AppError('USAGE', { problem, ...(field !== undefined && { field }) });

import { AppError, failedWith } from '../../contract/errors.ts';

/** Adds a sentence of `advice` to an error of an API call about an argument, by its field, which this command takes as an option. */
export async function adviseOnField<T>(
  call: Promise<T>,
  advice: Readonly<Record<string, string>>,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const field = failedWith(error, 'USAGE') ? error.details.field : undefined;
    const sentence = field === undefined ? undefined : advice[field];
    if (sentence === undefined || !failedWith(error, 'USAGE')) throw error;
    const problem = `${error.details.problem} ${sentence}`;
    throw new AppError('USAGE', { ...error.details, problem }, { cause: error });
  }
}

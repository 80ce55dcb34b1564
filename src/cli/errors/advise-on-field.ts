import { AppError, failedWith } from '../../contract/errors.ts';

/** Adds a sentence of `advice` to an error of an API call about an argument, by its field, which this command takes as an option. */
export const adviseOnField = <T>(call: Promise<T>, advice: Readonly<Record<string, string>>) =>
  call.catch((error: unknown) => {
    const sentence = failedWith(error, 'USAGE') && advice[error.details.field ?? ''];
    if (!sentence) throw error;
    const problem = `${error.details.problem} ${sentence}`;
    throw new AppError('USAGE', { ...error.details, problem }, { cause: error });
  });

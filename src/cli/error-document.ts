import { AppError, messageOf } from '../contract/errors.ts';

/** What `--json` prints where a command fails: our stable code, or `INTERNAL`, and the message for people. */
export const errorDocument = (error: unknown) => ({
  error: { code: error instanceof AppError ? error.code : 'INTERNAL', message: messageOf(error) },
});

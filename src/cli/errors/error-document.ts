import { AppError } from '../../contract/errors.ts';
import type { NextAction } from '../../contract/next.ts';
import { errorMessage } from './error-message.ts';
import { withCommands } from './next-command.ts';

/** What `--json` prints when a command fails: a stable code (or `INTERNAL`), the message, and what can be done next. */
export const errorDocument = (error: unknown) => ({
  error: errorOf(error),
  next: withCommands(nextOf(error)),
});

/** The code and message of anything that was thrown. */
export const errorOf = (error: unknown) => ({
  code: error instanceof AppError ? error.code : 'INTERNAL',
  message: errorMessage(error),
});

/** What can be done about anything that was thrown. */
export const nextOf = (error: unknown): readonly NextAction[] =>
  error instanceof AppError ? error.next : [];

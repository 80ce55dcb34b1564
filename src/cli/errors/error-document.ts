import type { SettingProblem } from '../../contract/error-details.ts';
import { AppError, failedWith, messageOf } from '../../contract/errors.ts';
import type { NextAction } from '../../contract/next.ts';
import { printable } from '../../contract/text/printable.ts';
import { flagOf } from '../options/standard-options.ts';
import { withCommands } from './next-command.ts';

/** The document that `--json` prints when a command fails: a stable code (or `INTERNAL`), the message and the next steps. */
export const errorDocument = (error: unknown) => ({
  error: errorOf(error),
  next: withCommands(nextOf(error)),
});

/** The code and message of anything that was thrown. */
export const errorOf = (error: unknown) => ({
  code: error instanceof AppError ? error.code : 'INTERNAL',
  message: errorMessage(error),
});

/** The next steps after any thrown value. */
export const nextOf = (error: unknown): readonly NextAction[] =>
  error instanceof AppError ? error.next : [];

/** The message of anything that was thrown, for the command line: values of options are shown with their flags. */
export function errorMessage(error: unknown): string {
  const found = failedWith(error, 'SETTINGS_INVALID') ? (error.details.found ?? []) : [];
  if (!found.some(({ option }) => option)) return messageOf(error);
  const lines = found.map((one) => `  ${printable(placeOf(one), 1_000)}: ${one.problem}`);
  return new AppError('SETTINGS_INVALID', { issues: [...new Set(lines)].join('\n') }).message;
}

const placeOf = ({ where, option }: SettingProblem): string =>
  option ? `${flagOf(option.name)} = "${option.value}" (command line)` : where;

import type { SettingProblem } from '../../contract/error-details.ts';
import { AppError, failedWith, messageOf } from '../../contract/errors.ts';
import { printable } from '../../contract/text/printable.ts';
import { flagOf } from '../options/flag-of.ts';

/** The message of anything that was thrown, for the command line: values of options are shown with their flags. */
export function errorMessage(error: unknown): string {
  const found = failedWith(error, 'SETTINGS_INVALID') ? (error.details.found ?? []) : [];
  if (!found.some(({ option }) => option)) return messageOf(error);
  const lines = found.map((one) => `  ${printable(placeOf(one), 1_000)}: ${one.problem}`);
  return new AppError('SETTINGS_INVALID', { issues: [...new Set(lines)].join('\n') }).message;
}

const placeOf = ({ where, option }: SettingProblem): string =>
  option ? `${flagOf(option.name)} = "${option.value}" (command line)` : where;

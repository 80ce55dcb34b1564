import { printable } from '../../contract/text/printable.ts';
import { usage } from '../../contract/usage.ts';
import { momentOf } from '../text/moment.ts';

/** The value of a text option; undefined if it was not given. */
export const textOption = (given: unknown): string | undefined =>
  typeof given === 'string' ? given : undefined;

interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Default: `a whole number`. */
  readonly what?: string;
}

/** The value of a number option; undefined if it was not given. @throws AppError `USAGE`. */
export function numberOption(
  flag: string,
  given: unknown,
  { min, max, what = WHOLE }: NumberRange,
): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  const isSpelled = what === WHOLE ? /^\d+$/.test(String(given)) : String(given).trim() !== '';
  if (isSpelled && value >= min && value <= max) return value;
  throw wrongValue(flag, given, `${what} from ${min} to ${max}`);
}

const WHOLE = 'a whole number';

/** The value of an option that is one of the `choices`; undefined if it was not given. @throws AppError `USAGE` with `words`. */
export function choiceOption<Choice extends string>(
  flag: string,
  given: unknown,
  choices: readonly Choice[],
  words = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
): Choice | undefined {
  const found = choices.find((one) => one === given);
  if (found !== undefined || given === undefined) return found;
  throw wrongValue(flag, given, words);
}

/** The value of `--since`; undefined if it was not given. @throws AppError `USAGE`. */
export function sinceOption(given: unknown): Date | undefined {
  if (given === undefined) return undefined;
  const since = momentOf(String(given), new Date(), 'past');
  if (since) return since;
  const valid = '90m, 12h, 7d or 4w, a day (2026-01-31), or a time (2026-01-31T12:00Z)';
  throw wrongValue('--since', given, valid);
}

/** The value of `--limit`. Default: 20. @throws AppError `USAGE`. */
export const limitOption = (given: unknown): number =>
  numberOption('--limit', given, { min: 1, max: 10_000 }) ?? 20;

const wrongValue = (flag: string, given: unknown, valid: string) =>
  usage(`${flag} is "${printable(String(given), 40)}". Write ${valid}.`);

/** `--budget-usd` for `budgetUsd`, as the parser of the command line names options. */
export const flagOf = (option: string): string =>
  `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

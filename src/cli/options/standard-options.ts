import { printable } from '../../contract/text/printable.ts';
import { usage } from '../../contract/usage.ts';
import { PROVIDERS } from '../../contract/vendors.ts';
import type { CommandArguments, CommandIo, CommandOptions } from '../command.ts';
import { momentOf } from '../text/moment.ts';

/** Options that several commands have, each with its only wording. */
export const standard = {
  json: { '--json': 'print one JSON document' },
  quiet: { '-q, --quiet': 'no progress on stderr; warnings are still printed' },
  yes: { '-y, --yes': 'do not ask for confirmation' },
  dryRun: { '--dry-run': 'only show what would happen' },
  limit: { '-n, --limit <count>': 'at most this many (default: 20)' },
  since: { '--since <when>': 'only since this day or time, or in the last 90m, 12h, 7d or 4w' },
  out: { '-o, --out <file>': 'the file to write; - is stdout' },
  workspace: { '-w, --workspace <dir>': 'folder to work in (default: the current folder)' },
  trustProject: { '--trust-project': "trust the project's files for this command (for CI)" },
  policy: { '--policy <file>': 'use this rules file instead of your policy.yaml' },
  provider: { '--provider <name>': PROVIDERS },
  model: { '--model <name>': "the provider's model, for every kind of call" },
  budget: { '--budget-usd <amount>': 'spending limit; setting it is the consent to spend' },
  timeout: { '--timeout <seconds>': 'time limit' },
  requireIsolation: {
    '--require-isolation <level>':
      'A, B or C: refuse to start at a lower level (exit code 7); auto: start at any',
  },
  noIsolation: {
    '--dangerously-no-isolation': 'run everything without a sandbox, with your own permissions',
  },
} as const satisfies Readonly<Record<string, CommandOptions>>;

/** Options of every command that runs capsules. */
export const isolationFlags: CommandOptions = {
  ...standard.requireIsolation,
  ...standard.noIsolation,
};

/** Options of commands that include a project's capsules. */
export const projectOptions: CommandOptions = { ...standard.workspace, ...standard.trustProject };

interface Called {
  readonly args: CommandArguments;
  readonly io: CommandIo;
}

/** For lists that show one folder. */
export const allFolders: CommandOptions = { '--all': 'of all folders' };

/** The folder whose runs to list; undefined for those of all folders. */
export function folderOption({ args: { options }, io }: Called): string | undefined {
  if (options['all'] === true) return undefined;
  return textOption(options['workspace']) ?? (io.environment['CAPSTAN_WORKSPACE'] || '.');
}

/** The text of a list without rows. @param what `runs`. @param isFiltered Whether there may be others, without the filter. */
export function noneText(what: string, folder: string | undefined, isFiltered = false): string {
  const none = isFiltered ? `No ${what} match` : `There are no ${what}`;
  if (folder === undefined) return isFiltered ? `${none}.\n` : `${none} yet.\n`;
  const here = isFiltered ? ' in this folder' : ' of this folder yet';
  return `${none}${here}. Those of all folders: capstan ${what} list --all\n`;
}

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

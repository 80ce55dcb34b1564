import type { Presence } from '../app/context/open-context.ts';
import type { Capstan } from '../app/open-capstan.ts';
import { escapeText } from '../contract/text/escape-text.ts';
import type { CommandArguments, CommandIo } from './command.ts';
import { exitCodes } from './errors/exit-codes.ts';
import { printJson } from './io/print-json.ts';
import { textOption } from './options/standard-options.ts';
import { createStyle } from './text/style.ts';

/** What the body of a command gets. */
export type CommandContext = ReturnType<typeof contextOf>;

/** What a command found or did. */
export interface CommandResult {
  /** Printed with `--json`. */
  readonly json: unknown;
  /** Printed without `--json`: complete lines. */
  readonly text: string;
  /** False: the exit code is 1. Default: true. */
  readonly isOk?: boolean;
  /** Default: 0 or 1, by `isOk`. */
  readonly exitCode?: number;
}

type Result = number | CommandResult;

/** The `run` of a command: opens Capstan, prints the result, and returns the exit code. */
export const withCapstan =
  (body: (context: CommandContext) => Result | Promise<Result>) =>
  (args: CommandArguments, io: CommandIo): Promise<number> =>
    inCapstan(args, io, async (context) => printResult(await body(context), args, io));

/** Prints the result of a command. Returns its exit code. */
export function printResult(result: Result, { options }: CommandArguments, io: CommandIo): number {
  if (typeof result === 'number') return result;
  if (options['json'] === true) printJson(io, result.json);
  else io.stdout(result.text);
  return result.exitCode ?? (result.isOk === false ? exitCodes.failed : exitCodes.completed);
}

/** Opens Capstan for a part of a command, and closes it afterwards. @param presence Default: whether this is a terminal. */
export async function inCapstan<T>(
  args: CommandArguments,
  io: CommandIo,
  work: (context: CommandContext) => T | Promise<T>,
  presence: Presence = () => io.isTerminal,
): Promise<T> {
  const { openCapstan } = await import('../app/open-capstan.ts');
  const capstan = await openCapstan({ env: io.environment, cwd: io.cwd, presence });
  try {
    return await work(contextOf(capstan, args, io));
  } finally {
    await capstan.close();
  }
}

function contextOf(capstan: Capstan, args: CommandArguments, io: CommandIo) {
  const { positionals, options } = args;
  return {
    capstan,
    args,
    io,
    /** The first argument; empty without one. */
    named: positionals[0] ?? '',
    /** Whether JSON is printed. */
    isJson: options['json'] === true,
    /** Whether an option without a value was given, by camel-cased name: `dryRun`. */
    has: (option: string) => options[option] === true,
    /** The value of an option; undefined if it was not given. */
    text: (option: string) => textOption(options[option]),
    /** Colours for stdout. */
    style: createStyle(io.environment, io.isOutputTerminal === true),
    /** The options of every `capsules` command for the application API. Notices go to stderr. */
    capsuleOptions: {
      settings: options,
      by: 'cli',
      onNotice: (text: string) => io.stderr(`note: ${escapeText(text, true)}\n`),
    },
  };
}

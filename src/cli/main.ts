import { isatty } from 'node:tty';
import { Command, CommanderError } from 'commander';
import { closest } from '../config/closest.ts';
import { processEnvironment } from '../config/environment.ts';
import { escapeText } from '../config/escape-text.ts';
import { packageVersion } from '../config/package-version.ts';
import { printable } from '../config/printable.ts';
import { AppError, failedWith, messageOf } from '../errors.ts';
import type { CommandDefinition, CommandIo } from './command.ts';
import { commands } from './commands.ts';
import { exitCodes } from './exit-codes.ts';
import { helpEpilogue } from './help-epilogue.ts';
import { writeOut } from './process-output.ts';

/** Runs the command line and returns its exit code. `argv` is what follows the program's name. */
export async function main(argv: readonly string[]): Promise<number> {
  const io = processIo();
  let exitCode = 0;
  const onExit = (code: number) => {
    exitCode = code;
  };
  const named = commands.filter(({ name }) => name === argv[0]);
  let hasComplained = false;
  const onComplaint = () => {
    hasComplained = true;
  };
  const program = buildProgram({ io, onExit, onComplaint }, named.length > 0 ? named : commands);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help takes its exit code from the process, which says 1 until the program has ended.
      const isHelp = error.code === 'commander.help' && !hasComplained;
      return error.exitCode === 0 || isHelp ? 0 : exitCodes.usage;
    }
    io.stderr(`capstan: ${escapeText(messageOf(error), true)}\n`);
    return isBadInput(error) ? exitCodes.usage : exitCodes.failed;
  }
}

/** The command line as commander knows it, of all commands or of the one that was called. */
function buildProgram(wiring: Wiring, known: readonly CommandDefinition[]): Command {
  const writeErr = (text: string) => {
    wiring.onComplaint();
    wiring.io.stderr(text);
  };
  const program = new Command('capstan')
    .description('Runs AI agents on your own machine without handing them the keys to it.')
    .version(packageVersion(), '-V, --version')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: wiring.io.stdout, writeErr })
    .showHelpAfterError('(`capstan --help` lists the commands)')
    .addHelpText('after', `\n${helpEpilogue}`);
  for (const definition of known) addCommand(program, definition, wiring);
  return program;
}

interface Wiring {
  readonly io: CommandIo;
  readonly onExit: (code: number) => void;
  /** The parser wrote to stderr: what was typed is no command. */
  readonly onComplaint: () => void;
}

function addCommand(parent: Command, definition: CommandDefinition, wiring: Wiring): void {
  const { name, summary, options, examples, subcommands = [] } = definition;
  const command = parent.command(name).description(summary).exitOverride();
  const path = pathOf(command);
  command.showHelpAfterError(`(\`${path} --help\` shows what can be said)`);
  if (definition.arguments) command.arguments(definition.arguments);
  for (const { flags, description } of options) command.option(flags, description);
  if (examples.length > 0) {
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
  }
  if (subcommands.length > 0) command.allowExcessArguments();
  command.action(async () => {
    assertSubcommand(command, path);
    const positionals = command.processedArgs.flat().filter((value) => value !== undefined);
    wiring.onExit(await definition.run({ positionals, options: command.opts() }, wiring.io));
  });
  for (const subcommand of subcommands) addCommand(command, subcommand, wiring);
}

/** `capstan runs show`. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

/** A word behind a command of commands that is none of them is told as that, with those that there are. */
function assertSubcommand({ args, commands: known }: Command, path: string): void {
  const [word] = args;
  if (known.length === 0 || word === undefined) return;
  const names = known.map((one) => one.name());
  const meant = closest(word, names);
  const hint = meant ? ` Did you mean ${meant}?` : '';
  const problem = `${path} has no subcommand "${printable(word)}".${hint} There are: ${names.join(', ')} (see \`${path} --help\`).`;
  throw new AppError('USAGE', { problem });
}

const BAD_INPUT = [
  'SETTINGS_INVALID',
  'USAGE',
  'RUN_UNKNOWN',
  'APPROVAL_UNKNOWN',
  'CAPSULE_UNKNOWN',
  'PLACE_UNUSABLE',
] as const;

const isBadInput = (error: unknown): error is AppError =>
  BAD_INPUT.some((code) => failedWith(error, code));

function processIo(): CommandIo {
  const environment = processEnvironment();
  return {
    stdout: (text) => writeOut(1, text),
    stderr: (text) => writeOut(2, text),
    isTerminal: !environment['CI'] && isatty(0) && isatty(2),
    isOutputTerminal: isatty(1),
    environment,
    cwd: process.cwd(),
  };
}

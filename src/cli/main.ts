import { isatty } from 'node:tty';
import { Command, CommanderError } from 'commander';
import { closeInheritedFiles, ownEnvironment, ownVersion } from '../app/own-process.ts';
import { AppError } from '../contract/errors.ts';
import { closest } from '../contract/text/closest.ts';
import { printable } from '../contract/text/printable.ts';
import type { CommandDefinition, CommandIo } from './command.ts';
import { commands } from './commands.ts';
import { errorDocument } from './errors/error-document.ts';
import { exitCodeOfError, exitCodes } from './errors/exit-codes.ts';
import { printError } from './errors/print-error.ts';
import { helpEpilogue } from './help-epilogue.ts';
import { printJson } from './io/print-json.ts';
import { stdoutReady, writeOut } from './io/process-output.ts';
import { brokenRunDocument } from './run/broken-run-document.ts';
import { printRun } from './run/print-run.ts';

/**
 * Runs the command line.
 *
 * @param argv The arguments after the program's name.
 * @returns The exit code.
 */
export async function main(argv: readonly string[]): Promise<number> {
  closeInheritedFiles();
  const own = processIo();
  let hasPrinted = false;
  const stdout: CommandIo['stdout'] = (text) => {
    hasPrinted = true;
    own.stdout(text);
  };
  const io: CommandIo = { ...own, stdout };
  let exitCode = 0;
  const onExit = (code: number) => {
    exitCode = code;
  };
  const named = commands.filter(({ name }) => name === argv[0]);
  let hasReported = false;
  const onParserError = () => {
    hasReported = true;
  };
  const isJson = argv.includes('--json');
  const printDocument = (error: unknown) => {
    if (isJson && !hasPrinted) printFailure(io, argv[0], error);
  };
  const program = buildProgram({ io, onExit, onParserError }, named.length > 0 ? named : commands);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander reports help that was asked for with exit code 1.
      const isHelp = error.code === 'commander.help' && !hasReported;
      if (error.exitCode === 0 || isHelp) return 0;
      printDocument(new AppError('USAGE', { problem: error.message.replace(/^error: /, '') }));
      return exitCodes.usage;
    }
    printDocument(error);
    printError(io, error);
    return exitCodeOfError(error);
  }
}

/** Prints one JSON document about the failure: that of a run, if the command was to print one. */
const printFailure = (io: CommandIo, command: string | undefined, error: unknown) =>
  command === 'run' || command === 'resume'
    ? printRun(io, brokenRunDocument(error))
    : printJson(io, errorDocument(error));

/** Builds the parser for all commands, or only for the one that was called. */
function buildProgram(wiring: Wiring, known: readonly CommandDefinition[]): Command {
  const writeErr = (text: string) => {
    wiring.onParserError();
    wiring.io.stderr(text);
  };
  const program = new Command('capstan')
    .description('Runs AI agents on your own machine without handing them the keys to it.')
    .version(ownVersion(), '-V, --version')
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
  /** The parser wrote to stderr: the arguments are invalid. */
  readonly onParserError: () => void;
}

function addCommand(parent: Command, definition: CommandDefinition, wiring: Wiring): void {
  const { name, summary, options, examples, subcommands = [] } = definition;
  const command = parent.command(name).description(summary).exitOverride();
  const path = pathOf(command);
  command.showHelpAfterError(`(\`${path} --help\` lists its arguments and options)`);
  if (definition.arguments) command.arguments(definition.arguments);
  for (const { flags, description } of options) command.option(flags, description);
  if (examples.length > 0) {
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
  }
  command.allowExcessArguments(subcommands.length > 0);
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

/** Reports an unknown subcommand and lists the valid ones. */
function assertSubcommand({ args, commands: known }: Command, path: string): void {
  const [word] = args;
  if (known.length === 0 || word === undefined) return;
  const names = known.map((one) => one.name());
  const meant = closest(word, names);
  const hint = meant ? ` Did you mean ${meant}?` : '';
  const problem = `${path} has no subcommand "${printable(word)}".${hint} There are: ${names.join(', ')} (see \`${path} --help\`).`;
  throw new AppError('USAGE', { problem });
}

function processIo(): CommandIo {
  const environment = ownEnvironment();
  return {
    stdout: (text) => writeOut(1, text),
    stdoutReady,
    stderr: (text) => writeOut(2, text),
    isTerminal: !environment['CI'] && isatty(0) && isatty(2),
    isOutputTerminal: isatty(1),
    environment,
    cwd: process.cwd(),
  };
}

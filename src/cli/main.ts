import { Command, CommanderError } from 'commander';
import { processEnvironment } from '../config/environment.ts';
import { packageVersion } from '../config/package-version.ts';
import { type AppError, failedWith, messageOf } from '../errors.ts';

import type { CommandDefinition, CommandIo } from './command.ts';
import { commands } from './commands.ts';
import { exitCodes } from './exit-codes.ts';
import { helpEpilogue } from './help-epilogue.ts';

/** Runs the command line and returns its exit code. `argv` is what follows the program's name. */
export async function main(argv: readonly string[]): Promise<number> {
  tolerateClosedPipes();
  const io = processIo();
  let exitCode = 0;
  const program = buildProgram(io, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    io.stderr(`capstan: ${messageOf(error)}\n`);
    return isBadInput(error) ? exitCodes.usage : exitCodes.failed;
  }
}

/** The command line as commander knows it; the documentation is drawn from the same table. */
export function buildProgram(io: CommandIo, onExit: (code: number) => void): Command {
  const program = new Command('capstan')
    .description('Runs AI agents on your own machine without handing them the keys to it.')
    .version(packageVersion(), '-V, --version')
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(`capstan --help` lists the commands)')
    .addHelpText('after', `\n${helpEpilogue}`);
  for (const definition of commands) addCommand(program, definition, { io, onExit });
  return program;
}

interface Wiring {
  readonly io: CommandIo;
  readonly onExit: (code: number) => void;
}

function addCommand(parent: Command, definition: CommandDefinition, wiring: Wiring): void {
  const { name, summary, options, examples, subcommands = [] } = definition;
  const command = parent.command(name).description(summary).exitOverride();
  if (definition.arguments) command.arguments(definition.arguments);
  for (const { flags, description } of options) command.option(flags, description);
  if (examples.length > 0) {
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
  }
  command.action(async () => {
    const positionals = command.processedArgs.flat().filter((value) => value !== undefined);
    wiring.onExit(await definition.run({ positionals, options: command.opts() }, wiring.io));
  });
  for (const subcommand of subcommands) addCommand(command, subcommand, wiring);
}

const BAD_INPUT = [
  'SETTINGS_INVALID',
  'USAGE',
  'RUN_UNKNOWN',
  'APPROVAL_UNKNOWN',
  'CAPSULE_UNKNOWN',
] as const;

const isBadInput = (error: unknown): error is AppError =>
  BAD_INPUT.some((code) => failedWith(error, code));

function processIo(): CommandIo {
  const environment = processEnvironment();
  const isInteractive = Boolean(process.stdin.isTTY && process.stderr.isTTY && !environment['CI']);
  return {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    isTerminal: isInteractive,
    environment,
    cwd: process.cwd(),
  };
}

/** `capstan … | head` ends in silence, not in a stack trace. */
function tolerateClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

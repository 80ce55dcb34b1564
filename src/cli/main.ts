import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { closeInherited, packageVersion, processEnvironment } from '../app/own-process.ts';
import type { CommandIo } from './command.ts';
import { conversation } from './commands/conversation.ts';
import { commands } from './commands.ts';
import { errorDocument } from './errors/error-document.ts';
import { exitCodeOfError, exitCodes, exitCodesHelp } from './errors/exit-codes.ts';
import { printError, triesOf } from './errors/print-error.ts';
import { rootHelp } from './help/command-group.ts';
import { type FoundCommand, findCommand } from './help/find-command.ts';
import { hasOption, operandsOf, parseLeaf } from './help/leaf-parser.ts';
import {
  noTask,
  type UnknownCommand,
  unknownCommand,
  unknownOption,
  unknownSubcommand,
} from './help/unknown-command.ts';
import { printJson } from './io/print-json.ts';
import { isFile, outputWritten, stdoutReady, writeOut } from './io/process-output.ts';
import { withoutCommands } from './report/ci/workflow-command.ts';
import { brokenRunDocument, printRun } from './run/surfaces/print-run.ts';

/** Runs the command line (`given`: after the program's name) with this io, by default that of this process. Returns the exit code. */
export async function main(
  given: readonly string[],
  ioOf: (hasColor: boolean) => CommandIo = openProcessIo,
): Promise<number> {
  const { argv, hasColor } = withoutColorFlag(given);
  const exitCode = await runWords(argv, ioOf(hasColor));
  return (await outputWritten()) ? exitCode : exitCode || exitCodes.failed;
}

async function runWords(argv: string[], own: CommandIo): Promise<number> {
  let hasPrinted = false;
  const stdout: CommandIo['stdout'] = (text) => {
    hasPrinted = true;
    own.stdout(text);
  };
  const io: CommandIo = { ...own, stdout };
  if (argv[0] === '__complete') {
    const { completeWords } = await import('./help/completion/complete-words.ts');
    await completeWords(argv.slice(argv[1] === '--' ? 2 : 1), io);
    return exitCodes.completed;
  }
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  const simple = answerSimple(words, io);
  if (simple !== undefined) return simple;
  const found = opensConversation(words, io)
    ? { definition: conversation, path: 'capstan', rest: words }
    : findCommand(words, commands);
  const fail: Fail = (error, tries) => {
    if (!hasPrinted) printFailure(io, argv, found.path, error);
    printError(io, error, tries);
    return exitCodeOfError(error);
  };
  return runFound(found, words, io, fail);
}

/** Prints a failure. Returns the exit code. */
type Fail = (error: unknown, tries: readonly string[]) => number;

/** Answers words without a command; undefined if they name one. */
function answerSimple(words: readonly string[], io: CommandIo): number | undefined {
  const [first] = words;
  if (first === undefined && (io.isPiped || opensConversation(words, io))) return undefined;
  if (first === '-V' || first === '--version') io.stdout(`${packageVersion()}\n`);
  else if (first === undefined || first === '-h' || first === '--help')
    io.stdout(rootHelp(commands));
  else if (first === 'exit-codes' && words.at(-1) === '--help') io.stdout(exitCodesHelp());
  else return undefined;
  return exitCodes.completed;
}

/** Whether the words open a conversation: none, or only its options and their values, at a terminal. */
const opensConversation = (words: readonly string[], io: CommandIo): boolean =>
  io.isTerminal && io.isOutputTerminal === true && (words.length === 0 || isConversation(words));

/** Whether the words are only options of the conversation and their values. */
const isConversation = (words: readonly string[]): boolean =>
  hasOption(conversation, words[0] ?? '') && !operandsOf(conversation, words)?.length;

async function runFound(found: FoundCommand, words: readonly string[], io: CommandIo, fail: Fail) {
  const { definition, path, rest } = found;
  const wrong = misnamed(found, words);
  if (!definition || wrong) return fail(wrong?.error, wrong?.tries ?? []);
  try {
    const parsed = parseLeaf(definition, path, rest);
    if ('args' in parsed) return await definition.run(parsed.args, io);
    io.stdout(parsed.help);
    return exitCodes.completed;
  } catch (error) {
    return fail(error, triesOf(error, path));
  }
}

function misnamed(found: FoundCommand, words: readonly string[]): UnknownCommand | undefined {
  const { definition, path, rest } = found;
  const [word = ''] = rest;
  const isOption = word.startsWith('-');
  if (definition) {
    const isUnknown = definition.subcommands !== undefined && word !== '' && !isOption;
    return isUnknown ? unknownSubcommand(word, definition, path) : undefined;
  }
  if (words.length === 0) return noTask;
  if (isOption) return unknownOption(words, commands, isConversation(words));
  return unknownCommand(words, commands);
}

/** With `--json` or `--jsonl`, prints one JSON document about the failure: that of a run, if the command was to print one. */
function printFailure(io: CommandIo, argv: readonly string[], path: string, error: unknown): void {
  const isRun = /^capstan (?:run|resume|runs resume)$/.test(path);
  const isLine = isRun && argv.includes('--jsonl');
  if (!isLine && !argv.includes('--json')) return;
  if (isRun) printRun(io, brokenRunDocument(error), isLine);
  else printJson(io, errorDocument(error));
}

/** Takes `--no-color` out of the arguments: every command has it. */
function withoutColorFlag(given: readonly string[]) {
  const end = given.indexOf('--');
  const isFlag = (word: string, at: number) => word === '--no-color' && (end === -1 || at < end);
  return { argv: given.filter((word, i) => !isFlag(word, i)), hasColor: !given.some(isFlag) };
}

/** If the current folder was deleted, the path of no folder: a command may name another one. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    process.chdir('/');
    return '/(the current folder was deleted)';
  }
}

/** To be called before any file is opened. */
function openProcessIo(hasColor: boolean): CommandIo {
  closeInherited();
  const { FORCE_COLOR, ...others } = processEnvironment();
  const environment = hasColor ? processEnvironment() : { ...others, NO_COLOR: '1' };
  const isActions = environment['GITHUB_ACTIONS'] === 'true';
  const clean = (text: string) => (isActions ? withoutCommands(text) : text);
  // A file is not read by the runner, so it gets the text as it is.
  const isRead = !isFile(1);
  return {
    stdout: (text) => writeOut(1, isRead ? clean(text) : text),
    stdoutReady,
    stderr: (text) => writeOut(2, clean(text)),
    ...(isActions && !isFile(2) && { workflow: (command: string) => writeOut(2, command) }),
    isTerminal: !environment['CI'] && isatty(0) && isatty(2),
    isOutputTerminal: isatty(1),
    isPiped: !isatty(0) && !fstatSync(0).isCharacterDevice(),
    environment,
    cwd: currentFolder(),
  };
}

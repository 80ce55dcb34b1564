import { Command, CommanderError } from 'commander';
import { AppError } from '../../contract/errors.ts';
import type { CommandDefinition } from '../command.ts';
import { titled } from '../text/format.ts';
import { groupHelp, isGroup, topicLines } from './command-group.ts';

/** Reads the arguments of one command (`path`: `capstan runs show`), or returns its help. @throws AppError `USAGE`. */
export function parseLeaf(definition: CommandDefinition, path: string, words: readonly string[]) {
  const output: string[] = [];
  const command = leafParser(definition, path).configureOutput({
    writeOut: (text) => void output.push(text),
    writeErr: () => {},
  });
  try {
    command.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed')
      return { help: isGroup(definition) ? groupHelp(definition, path) : output.join('') };
    throw new AppError('USAGE', { problem: sentenceOf(error.message) }, { cause: error });
  }
  const positionals = command.processedArgs.flat().filter((value) => value !== undefined);
  return { args: { positionals, options: command.opts() } };
}

/** The words that belong to no option of a command; undefined if the options are wrong or ask for help. */
export function operandsOf(definition: CommandDefinition, words: readonly string[]) {
  try {
    const parsed = parseLeaf({ ...definition, arguments: '[words...]' }, '', words);
    return 'args' in parsed ? parsed.args.positionals : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a command has this option: `-c`, `--session` or `--session=3f9c0a12`. */
export const hasOption = ({ options }: CommandDefinition, word: string): boolean =>
  Object.keys(options).some((flags) =>
    flags.split(/[\s,]+/).includes(word.startsWith('--') ? (word.split('=')[0] ?? '') : word),
  );

function leafParser(definition: CommandDefinition, path: string): Command {
  const { summary, note, options, hiddenOptions = {}, examples, subcommands = [] } = definition;
  const command = new Command(path)
    .description(note === undefined ? summary : `${summary}.\n${note}`)
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ helpWidth: 80 })
    .exitOverride();
  if (definition.arguments) command.arguments(definition.arguments);
  for (const [flags, description] of Object.entries(options)) command.option(flags, description);
  for (const [flags, description] of Object.entries(hiddenOptions))
    command.addOption(command.createOption(flags, description).hideHelp());
  const after = [
    titled(`More: ${path} <command>`, topicLines(subcommands).trimEnd()),
    titled('Examples:', examples.map((line) => `  ${line}`).join('\n')),
  ].filter((part) => part !== '');
  if (after.length > 0) command.addHelpText('after', after.join('\n'));
  return command.action(() => {});
}

/** `error: unknown option '--x'\n(Did you mean --y?)` as sentences. */
function sentenceOf(message: string): string {
  const [first = '', ...hints] = message.replace(/^error: /, '').split('\n');
  const sentence = `${first[0]?.toUpperCase()}${first.slice(1).replace(/\.$/, '')}.`;
  return [sentence, ...hints.map((hint) => hint.replace(/^\((.*)\)$/, '$1'))].join(' ');
}

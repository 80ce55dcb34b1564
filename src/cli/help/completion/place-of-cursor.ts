import type { CommandDefinition, CommandOptions } from '../../command.ts';
import { findCommand } from '../find-command.ts';

/** The word at the cursor. */
export type CursorPlace =
  /** A command or a subcommand. */
  | { readonly kind: 'command'; readonly commands: readonly CommandDefinition[] }
  | { readonly kind: 'option'; readonly options: CommandOptions }
  /** The value of an option or an argument, by the name that help shows: `run`, `dir`. */
  | {
      readonly kind: 'value';
      readonly name: string;
      readonly of: CommandDefinition;
      /** `--approve-mode`, if it is the value of an option. */
      readonly option?: string | undefined;
    }
  /** Nothing that can be completed. */
  | { readonly kind: 'none' };

/**
 * The kind of the last word.
 *
 * @param words All words after `capstan` up to the cursor; the last may be empty.
 */
export function placeOfCursor(
  words: readonly string[],
  commands: readonly CommandDefinition[],
): CursorPlace {
  const { definition: of, rest } = findCommand(words.slice(0, -1), commands);
  const { open, positionals } = readWords(rest, of);
  if (of && open) return { kind: 'value', ...open, of };
  if (words.at(-1)?.startsWith('-')) return { kind: 'option', options: shownOptions(of) };
  const known = of ? (of.subcommands ?? []) : commands;
  if (positionals === 0 && known.length > 0) return { kind: 'command', commands: known };
  const name = of && argumentAt(of, positionals);
  return of && name ? { kind: 'value', name, of } : { kind: 'none' };
}

/** The words after the name of a command. */
function readWords(words: readonly string[], of: CommandDefinition | undefined) {
  let open: OpenOption | undefined;
  let positionals = 0;
  for (const word of words) {
    if (!open && !word.startsWith('-')) positionals += 1;
    open = open ? undefined : openOption(word, of);
  }
  return { open, positionals };
}

/** The option before the cursor, and the name of the value that it takes. */
interface OpenOption {
  readonly option: string | undefined;
  readonly name: string;
}

/** The option that the word names, if its value is to follow. */
function openOption(word: string, of: CommandDefinition | undefined): OpenOption | undefined {
  const all = Object.keys({ ...of?.options, ...of?.hiddenOptions });
  const flags = all.find((one) => one.split(/[ ,]+/).includes(word)) ?? '';
  const name = /<(.+)>/.exec(flags)?.[1];
  return name === undefined ? undefined : { option: /--[\w-]+/.exec(flags)?.[0], name };
}

const shownOptions = (of: CommandDefinition | undefined): CommandOptions => ({
  ...of?.options,
  '-h, --help': 'show this help',
});

/** The name of an argument; the last one repeats if it may. */
function argumentAt({ arguments: names = '' }: CommandDefinition, index: number) {
  const all = names.match(/[\w|/[\].-]*\w/g) ?? [];
  const isRepeated = names.includes('...');
  return all[isRepeated ? Math.min(index, all.length - 1) : index]?.replace(/[^\w|].*$/, '');
}

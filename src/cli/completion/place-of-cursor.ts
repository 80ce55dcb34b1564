import type { CommandDefinition, CommandOption } from '../command.ts';
import { commandWords } from '../words/find-command.ts';

/** What is being typed. */
export type CursorPlace =
  /** A command or a subcommand. */
  | { readonly kind: 'command'; readonly commands: readonly CommandDefinition[] }
  | { readonly kind: 'option'; readonly options: readonly CommandOption[] }
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
 * What the last of the words is.
 *
 * @param words All words after `capstan` up to the cursor; the last may be empty.
 */
export function placeOfCursor(
  words: readonly string[],
  commands: readonly CommandDefinition[],
): CursorPlace {
  const before = commandWords(words.slice(0, -1));
  const { of, known, open, positionals } = before.reduce(afterWord, atStart(commands));
  if (of && open) return { kind: 'value', ...open, of };
  if (words.at(-1)?.startsWith('-')) return { kind: 'option', options: shownOptions(of) };
  if (positionals === 0 && known.length > 0) return { kind: 'command', commands: known };
  const name = of && argumentAt(of, positionals);
  return of && name ? { kind: 'value', name, of } : { kind: 'none' };
}

/** The command and options that the words so far name. */
interface Reading {
  readonly of: CommandDefinition | undefined;
  /** The commands that may follow. */
  readonly known: readonly CommandDefinition[];
  /** The option before the cursor, and the name of the value that it takes. */
  readonly open: OpenOption | undefined;
  readonly positionals: number;
}

interface OpenOption {
  readonly option: string | undefined;
  readonly name: string;
}

const atStart = (known: readonly CommandDefinition[]): Reading => ({
  of: undefined,
  known,
  open: undefined,
  positionals: 0,
});

function afterWord(reading: Reading, word: string): Reading {
  const { of, known, open, positionals } = reading;
  if (open) return { ...reading, open: undefined };
  if (word.startsWith('-')) return { ...reading, open: openOption(word, of) };
  const next = positionals === 0 ? known.find(({ name }) => name === word) : undefined;
  if (next) return { ...reading, of: next, known: next.subcommands ?? [] };
  return { ...reading, positionals: positionals + 1 };
}

/** The option that the word names, if its value is to follow. */
function openOption(word: string, of: CommandDefinition | undefined): OpenOption | undefined {
  const flags = of?.options.find((one) => one.flags.split(/[ ,]+/).includes(word))?.flags ?? '';
  const name = /<(.+)>/.exec(flags)?.[1];
  return name === undefined ? undefined : { option: /--[\w-]+/.exec(flags)?.[0], name };
}

const shownOptions = (of: CommandDefinition | undefined): readonly CommandOption[] => [
  ...(of?.options ?? []).filter(({ isHidden }) => !isHidden),
  { flags: '-h, --help', description: 'show this help' },
];

/** The name of an argument; the last one repeats if it may. */
function argumentAt({ arguments: names = '' }: CommandDefinition, index: number) {
  const all = names.match(/[\w|/[\].-]*\w/g) ?? [];
  const isRepeated = names.includes('...');
  return all[isRepeated ? Math.min(index, all.length - 1) : index]?.replace(/[^\w|].*$/, '');
}

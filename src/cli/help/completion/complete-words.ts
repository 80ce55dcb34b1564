import type { Capstan } from '../../../app/open-capstan.ts';
import { printable } from '../../../contract/text/printable.ts';
import { providerNames } from '../../../contract/vendors.ts';
import type { CommandDefinition, CommandIo, CommandOptions } from '../../command.ts';
import { commands } from '../../commands.ts';
import { shortId } from '../../text/short-id.ts';
import { findCommand } from '../find-command.ts';

const MAX_ABOUT = 60;

/**
 * Prints the completions at the cursor, one per line: the word, a tab, and its description. Prints nothing if there are none,
 * and where something fails.
 *
 * @param words All words after `capstan` up to the cursor; the last may be empty.
 */
export async function completeWords(words: readonly string[], io: CommandIo): Promise<void> {
  const current = words.at(-1) ?? '';
  const place = placeOfCursor(words[0] === 'help' ? words.slice(1) : words, commands);
  const candidates = await candidatesAt(place, io).catch(() => []);
  const lines = candidates
    .filter(({ value }) => value.startsWith(current))
    .map(({ value, about }) => `${printable(value)}\t${printable(about, MAX_ABOUT)}\n`);
  io.stdout(lines.join(''));
}

async function candidatesAt(place: CursorPlace, io: CommandIo): Promise<readonly Candidate[]> {
  switch (place.kind) {
    case 'command':
      return place.commands.map(({ name, summary }) => ({ value: name, about: summary }));
    case 'option':
      return Object.entries(place.options).map(([flags, about]) => ({
        value: /--[\w-]+/.exec(flags)?.[0] ?? flags,
        about,
      }));
    case 'value':
      return valuesOf(place, io);
    case 'none':
      return [];
  }
}

/** One completion of the word at the cursor. */
interface Candidate {
  readonly value: string;
  /** Shown beside it; empty if there is nothing to say. */
  readonly about: string;
}

type ValuePlace = Extract<CursorPlace, { kind: 'value' }>;

const MAX_RUNS = 30;

/** The values that an argument or option may have. None of a file or free text: the shell completes files. */
async function valuesOf(
  { name, of, option }: ValuePlace,
  { environment: env, cwd }: Pick<CommandIo, 'environment' | 'cwd'>,
): Promise<readonly Candidate[]> {
  const fixed = fixedValues[option ?? name];
  if (fixed) return fixed.map((value) => ({ value, about: '' }));
  const list = lists[name];
  if (!list) return [];
  const { openCapstan } = await import('../../../app/open-capstan.ts');
  const capstan = await openCapstan({ env, cwd });
  try {
    const newest =
      name === 'run' && of.topic === 'Inspect' ? [{ value: 'last', about: 'newest' }] : [];
    return [...newest, ...(await list(capstan))];
  } finally {
    await capstan.close();
  }
}

/** By option, or by the name of the argument in help. */
const fixedValues: Readonly<Record<string, readonly string[]>> = {
  shell: ['bash', 'zsh'],
  model: ['minilm'],
  '--provider': providerNames,
  '--approve-mode': ['ask', 'allow', 'deny'],
  '--hint': ['fast', 'balanced', 'best'],
  '--log-level': ['error', 'warn', 'info', 'debug'],
  '--require-isolation': ['A', 'B', 'C'],
  '--remember': ['run', 'capsule'],
  '--format': ['jsonl', 'csv'],
  '--by': ['run', 'subtask', 'capsule', 'model', 'tool', 'day'],
  '--tier': ['1', '2'],
};

const runs = async (capstan: Capstan): Promise<Candidate[]> =>
  (await capstan.runs.list({ limit: MAX_RUNS })).map(({ id, status, task }) => ({
    value: shortId(id),
    about: `${status}: ${task}`,
  }));

const lists: Readonly<Record<string, (capstan: Capstan) => Promise<Candidate[]>>> = {
  run: runs,
  'run|file': runs,
  session: async (capstan) =>
    (await capstan.sessions.list({ limit: MAX_RUNS })).map(({ id, task }) => ({
      value: shortId(id),
      about: task,
    })),
  question: async (capstan) =>
    (await capstan.approvals.list()).map(({ id, question }) => ({
      value: shortId(id),
      about: question,
    })),
  answer: async (capstan) =>
    (await capstan.approvals.remembered())
      .filter(({ revokedAt }) => revokedAt === null)
      .map(({ id, answer, capsuleId, operation }) => ({
        value: shortId(id),
        about: `${answer} ${capsuleId} ${operation}`,
      })),
  capsule: async (capstan) =>
    (await capstan.capsules.list({})).map(({ capsule: { id, manifest } }) => ({
      value: id,
      about: manifest.description,
    })),
};

/** The word at the cursor. */
type CursorPlace =
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
function placeOfCursor(
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

import type { Capstan } from '../../../app/open-capstan.ts';
import { printable } from '../../../contract/text/printable.ts';
import { providerNames } from '../../../contract/vendors.ts';
import { modelHints } from '../../../contract/wire/model-hints.ts';
import type { CommandDefinition, CommandIo } from '../../command.ts';
import { commands } from '../../commands.ts';
import { logLevels } from '../../options/log-level.ts';
import { shortId } from '../../text/short-id.ts';
import { inCapstan } from '../../with-capstan.ts';
import { findCommand } from '../find-command.ts';

const MAX_ABOUT = 60;
const MAX_RUNS = 30;

/** One completion of the word at the cursor, and what is shown beside it. */
type Candidate = readonly [value: string, about: string];

/**
 * Prints the completions at the cursor, one per line: the word, a tab, and its description. Nothing where something fails.
 *
 * @param words All words after `capstan` up to the cursor; the last may be empty.
 */
export async function completeWords(words: readonly string[], io: CommandIo): Promise<void> {
  const current = words.at(-1) ?? '';
  const typed = words[0] === 'help' ? words.slice(1) : words;
  const candidates = await candidatesAt(typed, io).catch(() => []);
  const lines = candidates
    .filter(([value]) => value.startsWith(current))
    .map(([value, about]) => `${printable(value)}\t${printable(about, MAX_ABOUT)}\n`);
  io.stdout(lines.join(''));
}

async function candidatesAt(words: readonly string[], io: CommandIo): Promise<Candidate[]> {
  const { definition, rest } = findCommand(words.slice(0, -1), commands);
  const { open, positionals } = readWords(rest, definition);
  if (open) return valuesOf(open, definition, io);
  if (words.at(-1)?.startsWith('-'))
    return Object.entries({ ...definition?.options, '-h, --help': 'show this help' }).map(
      ([flags, about]) => [longNameOf(flags) ?? flags, about],
    );
  const known = definition ? (definition.subcommands ?? []) : commands;
  if (positionals === 0 && known.length > 0)
    return known.map(({ name, summary }) => [name, summary]);
  const name = argumentAt(definition?.arguments ?? '', positionals);
  return name === undefined ? [] : valuesOf({ name }, definition, io);
}

/** The option before the cursor, and the name of the value that it takes. */
interface OpenValue {
  readonly option?: string | undefined;
  readonly name: string;
}

/** Reads the words after the name of a command. */
function readWords(words: readonly string[], of: CommandDefinition | undefined) {
  let open: OpenValue | undefined;
  let positionals = 0;
  for (const word of words) {
    if (!open && !word.startsWith('-')) positionals += 1;
    open = open ? undefined : openOption(word, of);
  }
  return { open, positionals };
}

/** The option that the word names, if its value is to follow. */
function openOption(word: string, of: CommandDefinition | undefined): OpenValue | undefined {
  const all = Object.keys({ ...of?.options, ...of?.hiddenOptions });
  const flags = all.find((one) => one.split(/[ ,]+/).includes(word)) ?? '';
  const name = /<(.+)>/.exec(flags)?.[1];
  return name === undefined ? undefined : { option: longNameOf(flags), name };
}

const longNameOf = (flags: string): string | undefined => /--[\w-]+/.exec(flags)?.[0];

/** The name of an argument; the last one repeats if it may. */
function argumentAt(names: string, index: number): string | undefined {
  const all = names.match(/[\w|/[\].-]*\w/g) ?? [];
  const isRepeated = names.includes('...');
  return all[isRepeated ? Math.min(index, all.length - 1) : index]?.replace(/[^\w|].*$/, '');
}

/** The values that an option or argument may have. None of a file or free text: the shell completes files. */
async function valuesOf(
  { option, name }: OpenValue,
  of: CommandDefinition | undefined,
  io: CommandIo,
): Promise<Candidate[]> {
  const fixed = fixedValues[option ?? name];
  if (fixed) return fixed.map((value) => [value, '']);
  const list = lists[name];
  if (!list) return [];
  return inCapstan({ positionals: [], options: {} }, io, async ({ capstan }) => {
    const isReader = name === 'run' && of?.topic === 'Inspect';
    return [...(isReader ? [['last', 'newest'] as const] : []), ...(await list(capstan))];
  });
}

/** By option, or by the name of the argument in help. */
const fixedValues: Readonly<Record<string, readonly string[]>> = {
  shell: ['bash', 'zsh'],
  model: ['minilm'],
  '--provider': providerNames,
  '--approve-mode': ['ask', 'allow', 'deny'],
  '--hint': modelHints,
  '--log-level': logLevels,
  '--require-isolation': ['A', 'B', 'C'],
  '--remember': ['run', 'capsule'],
  '--format': ['jsonl', 'csv'],
  '--by': ['run', 'subtask', 'capsule', 'model', 'tool', 'day'],
  '--tier': ['1', '2'],
};

const runs = async (capstan: Capstan): Promise<Candidate[]> =>
  (await capstan.runs.list({ limit: MAX_RUNS })).map(({ id, status, task }) => [
    shortId(id),
    `${status}: ${task}`,
  ]);

const lists: Readonly<Record<string, (capstan: Capstan) => Promise<Candidate[]>>> = {
  run: runs,
  'run|file': runs,
  session: async ({ sessions }) =>
    (await sessions.list({ limit: MAX_RUNS })).map(({ id, task }) => [shortId(id), task]),
  question: async ({ approvals }) =>
    (await approvals.list()).map(({ id, question }) => [shortId(id), question]),
  answer: async ({ approvals }) =>
    (await approvals.remembered())
      .filter(({ revokedAt }) => revokedAt === null)
      .map(({ id, answer, capsuleId, operation }) => [
        shortId(id),
        `${answer} ${capsuleId} ${operation}`,
      ]),
  capsule: async ({ capsules }) =>
    (await capsules.list({})).map(({ capsule: { id, manifest } }) => [id, manifest.description]),
};

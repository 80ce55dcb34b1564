import type { Capstan } from '../../../app/open-capstan.ts';
import { printable } from '../../../contract/text/printable.ts';
import { providerNames } from '../../../contract/vendors.ts';
import type { CommandIo } from '../../command.ts';
import { commands } from '../../commands.ts';
import { shortId } from '../../text/short-id.ts';
import { type CursorPlace, placeOfCursor } from './place-of-cursor.ts';

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

import { printable } from '../../contract/text/printable.ts';
import type { CommandIo } from '../command.ts';
import { commands } from '../commands.ts';
import { lowerFirst } from '../help/group-help.ts';
import { type CursorPlace, placeOfCursor } from './place-of-cursor.ts';
import { type Candidate, valuesOf } from './values-of.ts';

const MAX_ABOUT = 60;

/**
 * Prints the completions at the cursor, one a line: the word, a tab, and its description. Prints nothing if there are none,
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
      return place.commands.map(({ name, brief, summary }) => ({
        value: name,
        about: place.commands === commands ? lowerFirst(summary) : (brief ?? lowerFirst(summary)),
      }));
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

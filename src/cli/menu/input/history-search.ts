import { isCtrl, isKey, type KeyInput, plainText } from '../terminal/key.ts';
import { typed } from './edit.ts';
import type { InputLine } from './input-line.ts';
import { findEntry } from './prompt-history.ts';

/**
 * A key while the history is searched: letters narrow the search, Ctrl-R goes to the next older entry, Esc and Ctrl-C
 * leave the line as it was. Any other key takes the entry that is found.
 */
export function searchKey(line: InputLine, input: KeyInput): InputLine {
  const { search = { words: '', index: undefined } } = line;
  const find = (words: string, before?: number): InputLine => {
    const index =
      findEntry(line.history, words, before) ?? (before === undefined ? undefined : search.index);
    return { ...line, search: { words, index: words === '' ? undefined : index } };
  };
  if (isCtrl(input, 'r')) return find(search.words, search.index);
  if (isKey(input, 'backspace')) return find([...search.words].slice(0, -1).join(''));
  const text = plainText(input);
  if (text !== undefined) return find(search.words + text);
  if (isKey(input, 'esc') || isCtrl(input, 'c')) return { ...line, search: undefined };
  const found = search.index === undefined ? undefined : line.history.entries[search.index];
  const edited = found === undefined ? line.edited : typed(found, line.edited);
  return { ...line, search: undefined, edited, isListClosed: true };
}

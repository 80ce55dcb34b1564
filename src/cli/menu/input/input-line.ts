import { isCtrl, isKey, isPaste, type KeyInput } from '../terminal/key.ts';
import { attachmentsIn, type PastedText, pastedText } from './attach-paste.ts';
import { type Completable, completableAt, complete } from './completion.ts';
import {
  type Edited,
  edit,
  insert,
  isOnFirstLine,
  isOnLastLine,
  nothingTyped,
  typed,
} from './edit.ts';
import { searchKey } from './history-search.ts';
import { historyOf, type PromptHistory, step, withEntry } from './prompt-history.ts';

/** The line at the bottom: what is typed, its history, the list of completions and a search through the history. */
export interface InputLine {
  readonly edited: Edited;
  readonly history: PromptHistory;
  readonly pasted: readonly PastedText[];
  /** Ctrl-R: what is searched for, and the entry that is shown. */
  readonly search?: { readonly words: string; readonly index: number | undefined } | undefined;
  /** The completion that Tab takes. */
  readonly chosen: number;
  /** ↑ or ↓ moved in the list: Enter takes the completion too. */
  readonly hasMoved: boolean;
  readonly isListClosed: boolean;
}

export interface Submitted {
  readonly text: string;
  /** As it was typed, for the history: one that begins with a space is not kept. */
  readonly typed: string;
  readonly attachments: readonly { readonly name: string; readonly text: string }[];
}

export interface LineChange {
  readonly line: InputLine;
  /** Enter: the line is empty again. */
  readonly submitted?: Submitted;
}

/** What completes a word, the best first. Nothing to complete it with: an empty list. */
export type Candidates = (wanted: Completable) => readonly string[];

export const openLine = (entries: readonly string[] = []): InputLine => ({
  edited: nothingTyped,
  history: historyOf(entries),
  pasted: [],
  ...closedList,
});

const closedList = { search: undefined, chosen: 0, hasMoved: false, isListClosed: false };

/** The completions that are shown now. */
export function listAt(
  line: InputLine,
  candidates: Candidates,
): { readonly wanted: Completable; readonly items: readonly string[] } | undefined {
  if (line.isListClosed || line.search) return undefined;
  const wanted = completableAt(line.edited);
  const items = wanted ? candidates(wanted) : [];
  return wanted && items.length > 0 ? { wanted, items } : undefined;
}

/** What a key does to the line; undefined if it is none of the line's keys: Esc, Ctrl-C, Ctrl-D and Tab without a list. */
export function lineKey(
  line: InputLine,
  input: KeyInput,
  candidates: Candidates,
): LineChange | undefined {
  if (line.search) return { line: searchKey(line, input) };
  if (isCtrl(input, 'r')) return { line: { ...line, search: { words: '', index: undefined } } };
  const inList = listKey(line, input, candidates);
  if (inList) return { line: inList };
  if (isPaste(input)) return { line: withPaste(line, input.paste) };
  if (isKey(input, 'enter') && !input.shift) return enter(line);
  const browsed = browseKey(line, input);
  if (browsed) return browsed;
  if (isCtrl(input, 'd') && line.edited.text === '') return undefined;
  const edited = edit(line.edited, input);
  return edited && { line: { ...line, ...closedList, edited } };
}

/** An empty line; what was typed stays in the history. */
export const cleared = (line: InputLine): InputLine => ({
  ...line,
  ...closedList,
  edited: { ...nothingTyped, killed: line.edited.killed },
  pasted: [],
  history: historyOf(line.history.entries),
});

/** The line with another text: that of the editor. */
export const withText = (line: InputLine, text: string): InputLine => ({
  ...line,
  ...closedList,
  edited: typed(text, line.edited),
});

function listKey(line: InputLine, input: KeyInput, candidates: Candidates): InputLine | undefined {
  const list = listAt(line, candidates);
  if (!list) return undefined;
  const { wanted, items } = list;
  const chosen = Math.min(line.chosen, items.length - 1);
  if (isKey(input, 'esc')) return { ...line, isListClosed: true };
  if (isKey(input, 'up')) return { ...line, chosen: Math.max(0, chosen - 1), hasMoved: true };
  if (isKey(input, 'down'))
    return { ...line, chosen: Math.min(items.length - 1, chosen + 1), hasMoved: true };
  if (!isKey(input, 'tab') && !(line.hasMoved && isKey(input, 'enter'))) return undefined;
  const edited = complete(line.edited, wanted, items[chosen] ?? wanted.word);
  return { ...line, ...closedList, edited };
}

function withPaste(line: InputLine, paste: string): InputLine {
  const attached = pastedText(paste, line.pasted);
  const edited = insert(line.edited, attached?.marker ?? paste);
  const pasted = attached ? [...line.pasted, attached] : line.pasted;
  return { ...line, ...closedList, edited, pasted };
}

function enter(line: InputLine): LineChange {
  const { edited, pasted } = line;
  const { text, cursor } = edited;
  if (text[cursor - 1] === '\\') {
    const without = { ...edited, text: text.slice(0, cursor - 1) + text.slice(cursor) };
    return { line: { ...line, edited: insert({ ...without, cursor: cursor - 1 }, '\n') } };
  }
  const attachments = attachmentsIn(text, pasted);
  const submitted = { text: text.trim(), typed: text.trimEnd(), attachments };
  if (submitted.text === '') return { line };
  const history = withEntry(line.history, submitted.typed);
  return { line: { ...cleared(line), history }, submitted };
}

/** ↑ on the first line and ↓ on the last one. */
function browseKey(line: InputLine, input: KeyInput): LineChange | undefined {
  if (isKey(input, 'up') && isOnFirstLine(line.edited)) return browse(line, -1);
  if (isKey(input, 'down') && isOnLastLine(line.edited)) return browse(line, 1);
  return undefined;
}

function browse(line: InputLine, by: -1 | 1): LineChange {
  const found = step(line.history, by, line.edited.text);
  if (!found) return { line };
  const edited = typed(found.text, line.edited);
  return { line: { ...line, ...closedList, isListClosed: true, edited, history: found.history } };
}

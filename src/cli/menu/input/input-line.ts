import type { PastedText } from './attach-paste.ts';
import { type Completable, completableAt } from './completion.ts';
import { type Edited, nothingTyped } from './edit.ts';
import { historyOf, type PromptHistory } from './prompt-history.ts';

/** The line at the bottom: its text, its history, the list of completions and a search through the history. */
export interface InputLine {
  readonly edited: Edited;
  readonly history: PromptHistory;
  readonly pasted: readonly PastedText[];
  /** Ctrl-R: the searched text, and the entry that is shown. */
  readonly search?: { readonly words: string; readonly index: number | undefined } | undefined;
  /** The completion that Tab takes. */
  readonly chosen: number;
  /** The person has moved in the list with ↑ or ↓, so Enter takes the completion too. */
  readonly hasMoved: boolean;
  readonly isListClosed: boolean;
}

export interface Submitted {
  readonly text: string;
  /** As typed, for the history. A line that begins with a space is not stored. */
  readonly typed: string;
  readonly attachments: readonly { readonly name: string; readonly text: string }[];
  /** Pasted lines, which are never a command. */
  readonly isTask?: boolean;
}

export interface LineChange {
  readonly line: InputLine;
  /** Enter: the line is empty again. */
  readonly submitted?: Submitted;
}

/** The completions of a word, best first; empty if there are none. */
export type Candidates = (wanted: Completable) => readonly string[];

/** An empty line with the earlier lines of its history, oldest first. */
export const openLine = (entries: readonly string[] = []): InputLine => ({
  edited: nothingTyped,
  history: historyOf(entries),
  pasted: [],
  ...closedList,
});

/** State without a list of completions or a search. */
export const closedList = { search: undefined, chosen: 0, hasMoved: false, isListClosed: false };

interface List {
  readonly wanted: Completable;
  readonly items: readonly string[];
  readonly isWhole: boolean;
}

/** The completions that are shown now. `isWhole`: the word is one already. */
export function listAt(line: InputLine, candidates: Candidates): List | undefined {
  if (line.isListClosed || line.search) return undefined;
  const wanted = completableAt(line.edited);
  if (!wanted) return undefined;
  const { kind, word } = wanted;
  const all = candidates(wanted);
  const items = all.filter((item) => kind === 'command' || item !== word);
  const isWhole = all.includes(word) || all.includes(`${word}/`);
  return items.length > 0 ? { wanted, items, isWhole } : undefined;
}

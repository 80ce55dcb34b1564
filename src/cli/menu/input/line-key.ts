import type { QuestionPart } from '../question/question-part.ts';
import { isCtrl, isKey, isPaste, type KeyInput, plainText } from '../terminal/key.ts';
import {
  attachmentsIn,
  historyLine,
  isText,
  pastedText,
  pastesOf,
  recalled,
  withPastes,
} from './attach-paste.ts';
import { complete } from './completion.ts';
import { edit, insert, isOnFirstLine, isOnLastLine, nothingTyped, typed } from './edit.ts';
import {
  type Candidates,
  closedList,
  type InputLine,
  type LineChange,
  listAt,
  type Submitted,
} from './input-line.ts';
import { findEntry, historyOf, step, withEntry } from './prompt-history.ts';

/** Applies a key to the line; undefined if it is not a key of the line: Esc, Ctrl-C, Ctrl-D and Tab without a list. */
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

/**
 * A key while the person types an answer to a question. Keys that answer by themselves, and those that the line does not
 * handle, go to the question.
 */
export function answerKey(
  line: InputLine,
  input: KeyInput,
  question: Pick<QuestionPart, 'isAnswerKey' | 'onKey' | 'onText'>,
): InputLine {
  if (!line.search && line.edited.text === '' && question.isAnswerKey(input)) {
    question.onKey(input);
    return line;
  }
  const change = lineKey(line, input, () => []);
  if (!change) question.onKey(input);
  if (change?.submitted) question.onText(withPastes(change.submitted.text, line.pasted));
  return change?.line ?? line;
}

/** An empty line; its text stays in the history. */
export const cleared = (line: InputLine): InputLine => ({
  ...line,
  ...closedList,
  edited: { ...nothingTyped, killed: line.edited.killed },
  pasted: [],
  history: historyOf(line.history.entries),
});

/** Replaces the text of the line, for example with text from the editor. */
export const withText = (line: InputLine, text: string): InputLine => ({
  ...line,
  ...closedList,
  edited: typed(text, line.edited),
});

/** The pasted lines as they are, whatever they begin or end with. */
export function sendPasted(line: InputLine): LineChange {
  const whole = withPastes(line.edited.text, line.pasted).trimEnd();
  const submitted = { text: whole.trim(), typed: whole, attachments: [], isTask: true };
  if (submitted.text === '') return { line };
  if (looksLikeCommand(submitted)) return { line: cleared(line), submitted };
  return { line: { ...cleared(line), history: withEntry(line.history, whole) }, submitted };
}

/** Whether pasted lines would be a command if they were typed, so the history does not have them. */
export const looksLikeCommand = ({ text, isTask }: Submitted): boolean =>
  isTask === true && text.startsWith('/');

/** Pasted lines that look like a command as a paste again. */
const asPaste = (task: Submitted, line: InputLine): Submitted => {
  const paste = looksLikeCommand(task) ? pastedText(task.typed, line.pasted) : undefined;
  if (!paste) return task;
  const attachment = { name: paste.marker.slice(1, -1), text: paste.text };
  return { text: paste.marker, typed: paste.marker, attachments: [attachment] };
};

/** Puts tasks back into the line, before its text. */
export const withTasks = (line: InputLine, given: readonly Submitted[]): InputLine => {
  const tasks = given.map((task) => asPaste(task, line));
  return withPlainTasks(line, tasks);
};

const withPlainTasks = (line: InputLine, tasks: readonly Submitted[]): InputLine => ({
  ...withText(
    line,
    [...tasks.map(({ typed: text }) => text), line.edited.text]
      .filter((text) => text !== '')
      .join('\n'),
  ),
  pasted: [...tasks.flatMap(pastesOf), ...line.pasted],
});

function listKey(line: InputLine, input: KeyInput, candidates: Candidates): InputLine | undefined {
  const list = listAt(line, candidates);
  if (!list) return undefined;
  const { wanted, items, isWhole } = list;
  const chosen = Math.min(line.chosen, items.length - 1);
  // A command without its arguments was not chosen. What is typed next is not its name.
  if (isKey(input, 'esc'))
    return /^\/[\w-]*$/.test(line.edited.text) ? cleared(line) : { ...line, isListClosed: true };
  if (isKey(input, 'up')) return { ...line, chosen: Math.max(0, chosen - 1), hasMoved: true };
  if (isKey(input, 'down'))
    return { ...line, chosen: Math.min(items.length - 1, chosen + 1), hasMoved: true };
  const takesEnter = line.hasMoved || (wanted.kind === 'file' && !isWhole);
  if (!isKey(input, 'tab') && !(takesEnter && isKey(input, 'enter'))) return undefined;
  const edited = complete(line.edited, wanted, items[chosen] ?? wanted.word);
  return { ...line, ...closedList, edited };
}

function withPaste(line: InputLine, paste: string): InputLine {
  const attached = isText(paste) ? undefined : pastedText(paste, line.pasted);
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
  const history = withEntry(line.history, historyLine(submitted));
  return { line: { ...cleared(line), history }, submitted };
}

/** ↑ on the first line and ↓ on the last one. */
function browseKey(line: InputLine, input: KeyInput): LineChange | undefined {
  if (isKey(input, 'up') && isOnFirstLine(line.edited)) return browse(line, -1);
  if (isKey(input, 'down') && isOnLastLine(line.edited)) return browse(line, 1);
  return undefined;
}

function withRecalled(line: InputLine, entry: string): InputLine {
  const { text, pasted } = recalled(entry, line.pasted);
  return { ...withText(line, text), pasted };
}

function browse(line: InputLine, by: -1 | 1): LineChange {
  const found = step(line.history, by, line.edited.text);
  if (!found) return { line };
  const recalledLine = withRecalled(line, found.text);
  return { line: { ...recalledLine, isListClosed: true, history: found.history } };
}

/**
 * A key while the history is searched: letters narrow the search, Ctrl-R goes to the next older entry, Esc and Ctrl-C
 * leave the line as it was. Any other key takes the entry that is found.
 */
function searchKey(line: InputLine, input: KeyInput): InputLine {
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
  const taken = found === undefined ? line : withRecalled(line, found);
  return { ...taken, search: undefined, isListClosed: true };
}

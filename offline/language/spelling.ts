import type { HandlerContext, Outcome } from '../context.ts';
import type { TaskError } from '../task-error.ts';
import { tokenize } from './lexer.ts';
import { lookAlikes } from './look-alikes.ts';
import { plural, singular } from './words.ts';

/** A task with its misspelled words corrected. */
export interface Corrected {
  readonly task: string;
  /** A sentence that names the corrections. */
  readonly note: string;
}

/** Corrects words that differ by one letter from exactly one meant word: `bookngs`. Not names, literals and `known` words. Undefined if all are correct. */
export function correctSpelling(
  task: string,
  meant: Iterable<string>,
  known: ReadonlySet<string> = new Set(),
): Corrected | undefined {
  const forms = new Set(
    [...meant].flatMap((word) =>
      /(?:ed|[^s]s)$|^.{1,3}$/.test(word) ? [word] : [word, plural(word)],
    ),
  );
  const isKnown = (word: string) => [forms, known, lookAlikes].some((words) => words.has(word));
  const found = tokenize(task).flatMap((token) => {
    const { kind, norm, stem, start } = token;
    const isName = start > 0 && token.text !== norm;
    const isWord = kind === 'word' && /^[a-z]{4,}$/.test(norm) && !isName;
    if (!isWord || isKnown(norm) || isKnown(stem)) return [];
    const near = [...forms].filter((form) => isMisspelled(norm, form));
    const isOne = new Set(near.map(singular)).size === 1;
    const form = near.find(({ length }) => length === norm.length) ?? near[0];
    return isOne && form !== undefined ? [{ token, form }] : [];
  });
  if (found.length === 0) return undefined;
  const said = found.map(({ token, form }) => `"${token.text}" as "${form}"`);
  const corrected = found.reduceRight(
    (text, { token, form }) => `${text.slice(0, token.start)}${form}${text.slice(token.end)}`,
    task,
  );
  return { task: corrected, note: `Read ${said.join(' and ')}.` };
}

/** Error codes of tasks that were not understood, so that nothing was done. */
const notRead: ReadonlySet<string> = new Set(
  'NOT_UNDERSTOOD NOT_FOUND NOT_FOR_ME NEEDS_MODEL AMBIGUOUS NOT_SUPPORTED'.split(' '),
);

/** Performs a task with its spelling corrected, and adds a note. Undefined without corrections, or if it fails too. */
export async function performCorrected(
  context: HandlerContext,
  spelled: Corrected | undefined,
  perform: (context: HandlerContext) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  if (spelled === undefined) return undefined;
  const found = await perform({ ...context, task: spelled.task }).catch((error: TaskError) => {
    if (notRead.has(error.code)) return undefined;
    throw error;
  });
  return found && { ...found, text: `${spelled.note}\n\n${found.text}` };
}

/** The words of a pattern, without its slots. */
export const wordsOfPattern = (pattern: string): readonly string[] =>
  pattern
    .replace(/\w+:(?=[([])|\{[^}]*\}/g, '')
    .split(/[\s()[\]|]+/)
    .flatMap((text) => (text.endsWith('?') ? [text.slice(0, -2), text.slice(0, -1)] : [text]));

/** Endings of word forms: `rented` and `renter` are not misspellings of each other. */
const formEnd = /^[sdrynel]?$/;

/** Whether two words differ by one wrong, missing or extra letter, or by two swapped letters. */
export function isMisspelled(word: string, name: string): boolean {
  const start = sharedStart([...word], [...name]);
  const [own, other] = [[...word].slice(start), [...name].slice(start)];
  const end = sharedStart(own.toReversed(), other.toReversed());
  const [wrong, right] = [own, other].map((rest) => rest.slice(0, rest.length - end).join(''));
  if (start === 0 || wrong === undefined || right === undefined) return false;
  if (wrong.length === 2) return wrong === [...right].toReversed().join('');
  if (wrong.length === 1 && right.length === 1 && !isSlip(wrong, right)) return false;
  const isForm = end === 0 && formEnd.test(wrong) && formEnd.test(right);
  return !isForm && wrong.length < 2 && right.length < 2 && word.length + name.length > 8;
}

const keys = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Whether two letters are neighbours on the keyboard, or both vowels. */
function isSlip(a: string, b: string): boolean {
  const [from, to] = [a, b].map((letter) => {
    const row = keys.findIndex((line) => line.includes(letter));
    return { row, at: (keys[row]?.indexOf(letter) ?? 0) + row / 2 };
  });
  const isNear = from && to && Math.abs(from.row - to.row) < 2 && Math.abs(from.at - to.at) < 1.1;
  return isNear === true || /^[aeio]{2}$/.test(a + b);
}

function sharedStart(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((letter, index) => letter !== b[index]);
  return at < 0 ? a.length : at;
}

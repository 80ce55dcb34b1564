import type { Outcome } from '../context.ts';
import { isArticle, nameWords } from '../language/words.ts';
import type { Step } from '../phrases/form.ts';
import { filesIn } from '../phrases/name-file.ts';
import { fail } from '../task-error.ts';
import { nameOf, readWhole } from './file-tool.ts';
import { describing } from './replacement.ts';
import { writeFor } from './write-checked.ts';

/** A cell of a text with separated values; `text` is without its quotes. */
interface Cell {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The records of a text with as many cells as its first one; none if its quotes do not match. */
function recordsOf(content: string, mark: string): readonly (readonly Cell[])[] {
  const records: Cell[][] = [[]];
  const cell = new RegExp(
    `("(?:[^"]|"")*"|[^"${mark}\\r\\n][^${mark}\\r\\n]*|)(${mark}|\\r?\\n|$)`,
    'y',
  );
  while (cell.lastIndex < content.length) {
    const found = cell.exec(content);
    if (found === null) return [];
    const { 1: said = '', 2: end, index } = found;
    const text = said.startsWith('"') ? said.slice(1, -1).replaceAll('""', '"') : said;
    records.at(-1)?.push({ text, start: index, end: index + said.length });
    if (end !== mark) records.push([]);
  }
  return records.filter(({ length }) => length > 1 && length === records[0]?.length);
}

/** The sign that stands most often in the first line. */
const markOf = (content: string) => {
  const count = (mark: string) => content.split('\n', 1)[0]?.split(mark).length ?? 0;
  return ['\t', ';', ','].reduce((best, one) => (count(one) > count(best) ? one : best));
};

/** The words of a text between spaces. */
const plain = (text: string) => ` ${nameWords(text).join(' ')} `;

const joining = /^(?:of|for|in|on|from|row|record|entry|number|no|nr|id|with|s)$/;

/** Whether words are nothing but whole cells of a row and nouns for it. A number alone has to be in the first column. */
function isMeant(said: string, cells: readonly string[], nouns: readonly string[]): boolean {
  const words = said.split(' ').filter((word) => !joining.test(word) && !nouns.includes(word));
  const own = cells.slice(0, words.every((word) => /^\d*$/.test(word)) ? 1 : undefined).map(plain);
  const left = own
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, cell) => rest.replace(cell, ' '), ` ${words.join(' ').trim()} `);
  return words.join('') !== '' && left.trim() === '';
}

const isYes = (text: string) => /^(?:yes|true|y)$/i.test(text);
const isTruth = (text: string) => isYes(text) || /^(?:no|false|n)$/i.test(text);

/** What `mark … as paid` writes into a column: a yes below `paid?`, or that value as other rows have it. */
function stateFor(said: string, name: string, texts: readonly string[]): string | undefined {
  const state = said.replace(/^(?:not |un)/i, '');
  if (name !== plain(state)) return texts.find((text) => text.toLowerCase() === said.toLowerCase());
  return texts.find((text) => isTruth(text) && isYes(text) === (state === said));
}

/** A given value in the spelling of its column. Undefined if it may describe one, or be another kind than the others. */
function valueFor(said: string, isQuoted: boolean, texts: readonly string[]): string | undefined {
  const same = texts.find((text) => text.toLowerCase() === said.toLowerCase());
  const shapeOf = (text: string) => text.replace(/\d+/g, '9');
  const isText = texts.length === 0 || texts.some((text) => /\p{L}/u.test(text));
  const isName = /^\S+$|^\p{Lu}\S*(?: \p{Lu}\S*)*$/u.test(said) && !describing.test(said);
  const isSuch = isText ? isName : texts.map(shapeOf).includes(shapeOf(said));
  return same ?? (isQuoted || isSuch ? said : undefined);
}

/** A cell of a file with what it is to hold. */
interface Change {
  readonly path: string;
  readonly content: string;
  readonly cell: Cell;
  /** It and its row, in words. */
  readonly shown: string;
  readonly value: string | undefined;
}

/** The changes of a file that a step may mean: its words are those of a column and a row, or of a row and a state. */
function changesIn(step: Step, path: string, content: string): readonly Change[] {
  const [header = [], ...rows] = recordsOf(content, markOf(content));
  const names = header.map(({ text }) => plain(text.replace(/[([].*?[)\]]/g, '')));
  const nouns = [...nameWords(nameOf(path)), ...nameWords(header[0]?.text ?? '')];
  const all = nameWords(step.text('bareOld') || step.text('line'));
  const words = ` ${all.filter((word) => !isArticle(word)).join(' ')} `;
  const [as, said] = [step.text('as'), step.text('new') || step.text('bareNew')];
  return names.flatMap((name, at) => {
    const texts = rows.map((row) => row[at]?.text ?? '').filter(Boolean);
    const value = as ? stateFor(as, name, texts) : valueFor(said, step.has('new'), texts);
    if (as ? value === undefined : !words.includes(name)) return [];
    const rest = as ? words : words.replace(name, ' ');
    return rows.flatMap((row) => {
      const cells = row.map(({ text }) => text);
      const shown = `${header[at]?.text} of "${cells.join(', ')}" in ${path}`;
      const cell = row[at];
      return cell && isMeant(rest.trim(), cells.with(at, ''), nouns)
        ? [{ path, content, cell, shown, value }]
        : [];
    });
  });
}

/**
 * The one cell that the words of a step mean: `set the status of booking 12 to paid`, `mark invoice 2025-004 as paid`. They
 * are in the named table, or in any table of the workspace. Undefined if there is none.
 *
 * @throws TaskError `AMBIGUOUS` if there are several; `NOT_UNDERSTOOD` if the value may describe one.
 */
export async function cellMeant(step: Step): Promise<Change | undefined> {
  const named = [...step.texts('file'), ...step.texts('files')];
  const paths = named.length > 0 ? named : await filesIn(step);
  const changes: Change[] = [];
  for (const path of paths.filter((one) => /\.[ct]sv$/i.test(one)))
    changes.push(...changesIn(step, path, (await readWhole(step, path)).content));
  const [found] = changes;
  const { shown, value, cell } = found ?? {};
  if (changes.length > 1)
    fail(
      'AMBIGUOUS',
      `It may be ${changes
        .slice(0, 4)
        .map((one) => one.shown)
        .join(', or ')}.`,
    );
  if (found && value === undefined)
    fail(
      'NOT_UNDERSTOOD',
      `${shown} has other values. Put "${step.text('bareNew')}" in quotes if it is meant.`,
    );
  if (found && value === cell?.text) fail('INPUT_INVALID', `${shown} is "${value}" already.`);
  return found;
}

/** Writes a table with one other cell. */
export function writeCell(
  step: Step,
  { path, content, cell, shown, value = '' }: Change,
): Promise<Outcome> {
  const isPlain = !/["\r\n]/.test(value) && !value.includes(markOf(content));
  const written = isPlain ? value : `"${value.replaceAll('"', '""')}"`;
  const changed = `${content.slice(0, cell.start)}${written}${content.slice(cell.end)}`;
  const reason = `Set ${shown} from "${cell.text}" to "${value}"`;
  return writeFor(step, { path, content: changed, reason });
}

import type { Outcome } from '../context.ts';
import { truthOf } from '../language/truth.ts';
import { isArticle, nameWords } from '../language/words.ts';
import type { Step } from '../phrases/form.ts';
import { filesIn } from '../phrases/name-file.ts';
import { fail } from '../task-error.ts';
import { nameOf, readWhole } from './file-tool.ts';
import { describing } from './replacement.ts';
import { writeFiles } from './write-checked.ts';

/** A cell of a CSV or TSV text. `text` is unquoted. */
interface Cell {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The records of a CSV or TSV text. Empty if its quotes do not match or its records differ in length. */
function recordsOf(content: string, mark: string): readonly (readonly Cell[])[] {
  const records: Cell[][] = [[]];
  const cell = new RegExp(
    `("(?:[^"]|"")*"|[^"${mark}\\r\\n][^${mark}\\r\\n]*|)(${mark}|\\r?\\n|$)`,
    'y',
  );
  for (let end = mark; end !== ''; ) {
    const found = cell.exec(content);
    if (found === null) return [];
    const { 1: said = '', index } = found;
    end = found[2] ?? '';
    const text = said.startsWith('"') ? said.slice(1, -1).replaceAll('""', '"') : said;
    records.at(-1)?.push({ text, start: index, end: index + said.length });
    if (end !== mark && end !== '') records.push([]);
  }
  const full = records.filter(([first, ...others]) => first?.text !== '' || others.length > 0);
  return full.every(({ length }) => length > 1 && length === full[0]?.length) ? full : [];
}

/** The delimiter: the one that is most frequent in the first line. */
const markOf = (content: string) => {
  const count = (mark: string) => content.split('\n', 1)[0]?.split(mark).length ?? 0;
  return ['\t', ';', ','].reduce((best, one) => (count(one) > count(best) ? one : best));
};

/** The words of a text, with a space on each side. */
const plain = (text: string) => ` ${nameWords(text).join(' ')} `;

const joining = /^(?:of|for|in|on|from|row|record|entry|number|no|nr|id|with)$/;

/** Whether the words are whole cells of a row, nouns for it and words before them. A number alone must be in the first column. */
function isMeant(said: string, cells: readonly string[], nouns: readonly string[]): boolean {
  const naming = said.split(' ').filter((word) => !isBefore(word) && !nouns.includes(word));
  const isOfId = naming.every((word) => /^\d*$/.test(word));
  const own = cells
    .slice(0, isOfId ? 1 : undefined)
    .map(plain)
    .filter((cell) => cell.trim() !== '');
  const left = own
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, cell) => rest.replace(cell, ' * '), ` ${said} `)
    .trim()
    .split(/ +/);
  return (
    left.includes('*') &&
    left.every(
      (word, at) =>
        word === '*' || nouns.includes(word) || (isBefore(word) && at < left.length - 1),
    )
  );
}

const isBefore = (word: string) => isArticle(word) || joining.test(word);

/** The value that `mark … as paid` sets: yes in a column `paid?`, or `paid` as spelled in other rows. */
function stateFor(said: string, name: string, texts: readonly string[]): string | undefined {
  const state = said.replace(/^(?:not |un)/i, '');
  if (name !== plain(state)) return texts.find((text) => text.toLowerCase() === said.toLowerCase());
  return truthOf(name.trim(), texts)?.[state === said ? 0 : 1];
}

/** Words that describe a value instead of naming it. */
const vague =
  /^(?:opposite|same|default|whatever|blank|random|none|null|previous|other|else|any|unknown)$/i;

const shapeOf = (text: string) => text.replace(/\d+/g, '9');

/** Whether a number has the decimal mark of most numbers in its column. */
function isSuchNumber(said: string, texts: readonly string[]): boolean {
  const marks = texts.map((text) => text.replace(/[\d-]/g, '')).filter(Boolean);
  const commas = marks.filter((mark) => mark === ',').length;
  const own = commas * 2 > marks.length ? ',' : '.';
  return /^-?\d+(?:[.,]\d+)?$/.test(said) && (/[.,]/.exec(said)?.[0] ?? own) === own;
}

/** Whether a value fits a column: a number among numbers, the same shape among codes, otherwise a word or a name. */
function isSuch(said: string, texts: readonly string[]): boolean {
  const all = (pattern: RegExp) => texts.length > 0 && texts.every((text) => pattern.test(text));
  if (all(/^-?\d+(?:[.,]\d+)?$/)) return isSuchNumber(said, texts);
  if (all(/\d/)) return texts.map(shapeOf).includes(shapeOf(said));
  return isName.test(said) && !describing.test(said) && !vague.test(said);
}

const isName = /^\S+$|^\p{Lu}\S*(?: \p{Lu}\S*)*$/u;

/** A given value in the spelling of its column. Undefined if it may be a description or does not fit the column. */
function valueFor(said: string, isQuoted: boolean, texts: readonly string[]): string | undefined {
  if (isQuoted) return said;
  const same = texts.find((text) => text.toLowerCase() === said.toLowerCase());
  return same ?? (isSuch(said, texts) ? said : undefined);
}

/** A cell of a file and its new value. */
interface Change {
  readonly path: string;
  readonly content: string;
  readonly cell: Cell;
  readonly row: readonly Cell[];
  /** Describes the cell and its row. */
  readonly shown: string;
  readonly value: string | undefined;
}

/** The changes of a file that a step may mean. Its words name a column and a row, or a row and a state. */
function changesIn(step: Step, path: string, content: string): readonly Change[] {
  const [header = [], ...rows] = recordsOf(content, markOf(content));
  const names = header.map(({ text }) => plain(text.replace(/[([].*?[)\]]/g, '')));
  const nouns = [...nameWords(nameOf(path)), ...nameWords(header[0]?.text ?? '')];
  // Keeps a final article: `Vitamin A`.
  const tokens = [...step.tokens('bareOld'), ...step.tokens('line')];
  const [from, to] = [tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0];
  const after = /^\s+an?(?=\s)/i.exec(step.task.slice(to))?.[0] ?? '';
  const given = `${step.task.slice(from, to)}${after}`;
  const words = plain(given.replace(/['’]s\b/g, ''));
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
      return cell && isMeant(rest.trim(), cells, nouns)
        ? [{ path, content, cell, row, shown, value }]
        : [];
    });
  });
}

/** The cell that a step names (`mark invoice 2025-004 as paid`) in the named table or in any CSV or TSV file. Undefined if no row matches. */
export async function cellMeant(step: Step): Promise<Change | undefined> {
  const named = [...step.texts('file'), ...step.texts('files')];
  const paths = named.length > 0 ? named : await filesIn(step);
  const changes: Change[] = [];
  for (const path of paths.filter((one) => /\.[ct]sv$/i.test(one)))
    changes.push(...changesIn(step, path, (await readWhole(step, path)).content));
  const [found] = changes;
  const { shown, value, cell } = found ?? {};
  const some = changes.slice(0, 4).map((one) => one.shown);
  if (changes.length > 1) fail('AMBIGUOUS', `It may be ${some.join(', or ')}.`);
  if (found && value === undefined)
    fail('NOT_UNDERSTOOD', `"${step.text('bareNew')}" is unlike other ${shown}. Put it in quotes.`);
  if (found && value === cell?.text) fail('INPUT_INVALID', `${shown} is already "${value}".`);
  return found;
}

/** Writes one cell of a table. All other bytes of the file stay the same. */
export function writeCell(
  step: Step,
  { path, content, cell, row, shown, value = '' }: Change,
): Promise<Outcome> {
  const isPlain = !/["\r\n]/.test(value) && !value.includes(markOf(content));
  const wasQuoted = content[cell.start] === '"';
  const written = isPlain && !wasQuoted ? value : `"${value.replaceAll('"', '""')}"`;
  const changed = `${content.slice(0, cell.start)}${written}${content.slice(cell.end)}`;
  const reason = `Set ${shown} from "${cell.text}" to "${value}"`;
  // Includes both line breaks, because a row may be the beginning of another row.
  const start = Math.max(0, (row[0]?.start ?? 0) - 1);
  const end = row.at(-1)?.end ?? content.length;
  const after = /^\r?\n/.exec(content.slice(end))?.[0] ?? '';
  const old_text = `${content.slice(start, end)}${after}`;
  const new_text = `${content.slice(start, cell.start)}${written}${content.slice(cell.end, end)}${after}`;
  const args = { operation: 'edit', old_text, new_text };
  return writeFiles(step, { path, content: changed, reason, args });
}

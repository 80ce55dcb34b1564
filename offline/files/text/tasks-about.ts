import { type Token, tokenize } from '../../language/lexer.ts';
import { monthNames } from '../../language/lexicon.ts';
import { isArticle, nameWords } from '../../language/words.ts';
import type { Step } from '../../phrases/form.ts';
import { filesIn } from '../../phrases/name-file.ts';
import { fail } from '../../task-error.ts';
import { type Match, readWhole } from '../file-tool.ts';
import { textLines } from './sources.ts';

/** A task of a document: its line, the headings above it, and the words of its file name and title. */
interface Known {
  readonly match: Match;
  readonly headings: readonly string[];
  readonly file: ReadonlySet<string>;
}

/** Words that only connect the words that select tasks, or that state their place. */
const joining =
  /^(?:for|on|in|from|about|of|at|with|to|regarding|concerning|are|is|that|which|list|heading|section|file|document)$/;
const orders = /^(?:before|by|until|after)$/;
const deadline =
  /\b(?:due|deadline)\b|\b(?:by|until|till|before) (?:the )?(?:\d|end of|next|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|today|tomorrow|tonight)/i;
const wordsOf = (text: string) => nameWords(text.replace(/\bto-do/gi, 'todo'));

/** The date of a token: `2025-06-12`, `2025-06`; `-06-` for `June`. */
function dateOf({ kind, norm }: Token): string | undefined {
  if (kind === 'date') return norm;
  if (!monthNames.includes(norm)) return undefined;
  return `-${String(monthNames.indexOf(norm) + 1).padStart(2, '0')}-`;
}

/** The words, the date and the comparison of dates by which a step selects tasks. */
function askedOf(step: Step, all: readonly Token[]) {
  const tokens = all.filter(({ norm }) => !isArticle(norm) && !joining.test(norm));
  const [date, ...dates] = tokens.flatMap((token) => dateOf(token) ?? []);
  const isOrder = ({ norm }: Token) => date !== undefined && orders.test(norm);
  const [order = '', ...others] = tokens.filter(isOrder).map(({ norm }) => norm);
  const isOdd = dates.length + others.length > 0 || (order !== '' && date?.length !== 10);
  if (isOdd) fail('NOT_UNDERSTOOD', 'Give one date, such as "due before 2025-06-15".');
  const plain = tokens.filter((token) => !isOrder(token) && !dateOf(token) && token.norm !== 'by');
  const said = plain.flatMap(({ norm }) => wordsOf(norm.replace(/['’]s$/, '')));
  const words = said.filter((word) => word !== 'date' || !said.includes('due'));
  return { words: words.length > 0 || date ? words : wordsOf(step.text('noun')), date, order };
}

/** Whether a task or a heading above it has a matching date. */
function isDated({ match, headings }: Known, { date, order }: ReturnType<typeof askedOf>): boolean {
  if (date === undefined) return true;
  const own = tokenize([match.text, ...headings].join('\n')).flatMap(({ kind, norm }) =>
    kind === 'date' ? [norm] : [],
  );
  return own.some((one) => {
    if (order === 'before') return one < date;
    if (order === 'after') return one > date;
    return order === '' ? `${one}-`.includes(date) : one <= date;
  });
}

/**
 * The tasks below a heading that has all the words, if a heading is asked for or the words name only its file; else those of
 * the file that the words name; else those with the words in their text, headings or file name. Undefined if there are none.
 */
export async function tasksAbout(
  step: Step,
  isTask: RegExp,
  { paths, words: said }: { readonly paths: readonly string[]; readonly words: readonly Token[] },
) {
  const asked = askedOf(step, said);
  const { words } = asked;
  const known: Known[] = [];
  for (const path of paths) known.push(...(await tasksOf(step, path, isTask)));
  const has = ({ match, headings, file }: Known, word: string) =>
    file.has(word) ||
    headings.some((one) => wordsOf(one).includes(word)) ||
    (!step.has('isUnder') && wordsOf(match.text).includes(word)) ||
    (word === 'due' && deadline.test(match.text));
  const { chosen, isFile } = placeOf(known, words, said);
  const some =
    chosen.length > 0 ? chosen : known.filter((one) => words.every((word) => has(one, word)));
  const meant = some.filter((one) => isDated(one, asked));
  if (meant.length === 0 || (await isData(step, asked.words))) return undefined;
  const parts = [
    ...(isFile ? [] : words.map((word) => `"${word}"`)),
    ...(asked.date ? ['such a date'] : []),
  ];
  const files = [...new Set(meant.map(({ match }) => match.path))];
  return { matches: meant.map(({ match }) => match), having: parts.join(' and '), files };
}

/** The tasks of the heading or of the file that the words name, or none. @throws TaskError `AMBIGUOUS` for several files. */
function placeOf(known: readonly Known[], words: readonly string[], said: readonly Token[]) {
  const ofFile = known.filter(({ file }) => words.every((word) => file.has(word)));
  const named = [...new Set(ofFile.map(({ match }) => match.path))];
  const isBelow = ({ headings }: Known) =>
    headings.some((one) => words.every((word) => wordsOf(one).includes(word)));
  const below = words.length > 0 ? known.filter(isBelow) : [];
  const isHeading =
    said.some(({ norm }) => /^(?:heading|section)$/.test(norm)) ||
    (named.length === 1 && below.every(({ match }) => named.includes(match.path)));
  if (below.length > 0 && isHeading) return { chosen: below, isFile: false };
  if (named.length > 1)
    fail('AMBIGUOUS', `"${words.join(' ')}" may be ${named.join(' or ')}. Name the file.`);
  return { chosen: ofFile, isFile: ofFile.length > 0 };
}

/** Whether the noun of the tasks is the name of a table, whose rows may be meant. */
async function isData(step: Step, words: readonly string[]): Promise<boolean> {
  if (!step.has('noun')) return false;
  const paths = await filesIn(step);
  return paths.some(
    (path) =>
      /\.(?:csv|tsv|json|jsonl|ndjson|db|sqlite)$/i.test(path) &&
      words.some((word) => wordsOf(path).includes(word)),
  );
}

async function tasksOf(step: Step, path: string, isTask: RegExp): Promise<readonly Known[]> {
  const lines = textLines((await readWhole(step, path)).content, path);
  const title = lines.find(({ text }) => text.startsWith('# '))?.text ?? '';
  const file = new Set([...wordsOf(path), ...wordsOf(title), 'note']);
  const open: string[] = [];
  return lines.flatMap((match) => {
    const level = /^#{1,6}(?= )/.exec(match.text)?.[0].length ?? 0;
    if (level > 0) open.splice(level - 1, 6, match.text);
    return isTask.test(match.text)
      ? [{ match, headings: open.slice(1).filter(Boolean), file }]
      : [];
  });
}

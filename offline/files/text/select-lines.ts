import type { Token } from '../../language/lexer.ts';
import { meantBy } from '../../language/words.ts';
import type { Step } from '../../phrases/form.ts';
import { fail, modelSettings } from '../../task-error.ts';
import { findFile, type Match, many, readLines } from '../file-tool.ts';
import { pathsIn, type Scope, scopesOf } from '../which-files.ts';
import { levelOf, needleOf } from './needle.ts';
import { findAll, findLines, type Search, sourcesOf, textLines, timesOf } from './sources.ts';
import { tasksAbout } from './tasks-about.ts';

/** Some lines of files or of an earlier result. */
export interface Selection {
  /** `The last 2 lines of a.txt`, `3 open tasks in plan.md`. */
  readonly title: string;
  readonly matches: readonly Match[];
  /** Whether the lines are shown unchanged in a block, instead of as a list. */
  readonly isBlock?: boolean;
  readonly shownAs?: (match: Match) => string;
  /** The number of lines, if only that was asked for and not all were read. */
  readonly total?: number;
}

/** Phrases that name lines. The name of a part shows which lines are meant. */
export const lineParts = `
ends = [only] end:(first|last|top|bottom|opening|final) [{n}] (isOne:(line)|lines)
range = {from:n} [(to|-|–|through|until|and) [line] {to:n}]
numbered = ({from:nth} line|lines? [number] <range>)
which = which:(empty|blank|unique|distinct|different|duplicate|duplicated|repeated|double) lines
longest = [{n}] rank:(longest|shortest) [{n}] unit:(lines?)
headings = headings:([section] (headings?|headers?|section titles|sections))
state = state:(open|unfinished|unchecked|incomplete|remaining|pending|undone|unticked|outstanding|done|finished|completed|complete|checked|closed|ticked|ticked off|checked off|crossed off)
box = (tasks?|to-dos?|todo items|checkboxes|action (items?|points?)|checklist items)
tasks = (<state> (<box>|todos?|items)|tasks:(<box>))
equal = (line|task|item|entry) [that says] {equal:quote|code}
holding = ((isOne:(line)|lines) <testing>|{asName:name} lines)
marker = [leftover|left over|remaining] marker:(todos?|fixmes?|hacks?|xxx) [(and|or) also:(todos?|fixmes?)] [comments?|notes?|markers?|entries|items|lines]
lines = [only] [just] [all] (<ends>|<numbered>|<which>|<longest>|<headings>|<tasks>|<marker>|<equal>|<holding>)
`;

type Select = (step: Step) => Promise<Selection>;

/** Selects the lines that a form with the part `<lines>` names. */
export async function selectLines(step: Step): Promise<Selection> {
  const [, select] = selectors.find(([part]) => step.has(part)) ?? [];
  return select === undefined ? holding(step) : select(step);
}

const selectors: readonly (readonly [part: string, select: Select])[] = [
  ['end', ends],
  ['from', range],
  ['which', special],
  ['rank', longest],
  ['headings', headings],
  ['state', tasks],
  ['tasks', tasks],
  ['about', tasks],
  ['noun', tasks],
  ['marker', markers],
  ['equal', equal],
  ['meant', meant],
];

const document = /\.(?:md|markdown|txt|org)$/i;

/** The lines of the only text of a form. Lines of a file after the last wanted one are not read. */
async function linesFor(step: Step, from = 1, to = Number.POSITIVE_INFINITY) {
  const [path = '*', ...others] = step.texts('files');
  const maxLines = to - from + 1;
  if (others.length === 0 && !path.includes('*') && from > 0 && maxLines > 0 && to < 1e9) {
    const { content, next_line: next } = await readLines(step, path, { from, maxLines });
    const lines = textLines(content, path, from);
    if (lines.length === maxLines || next === undefined) return { name: path, lines };
  }
  const [source, ...more] = await sourcesOf(step);
  if (source === undefined || more.length > 0)
    return fail('AMBIGUOUS', `There are ${more.length + 1} files. Name one.`);
  const lines = textLines(source.content, source.path).slice(Math.max(0, from - 1));
  return { name: source.name, lines };
}

async function ends(step: Step): Promise<Selection> {
  const isFirst = /^(?:first|top|head|opening)$/.test(step.word('end'));
  const count = step.number('n') ?? (step.has('isOne') ? 1 : 10);
  if (count === 0) fail('INPUT_INVALID', '0 lines is nothing to show. Ask for at least 1.');
  const { name, lines } = await linesFor(step, 1, isFirst ? count : undefined);
  const matches = isFirst ? lines.slice(0, count) : lines.slice(-count);
  const which = `${isFirst ? 'first' : 'last'} ${count === 1 ? 'line' : `${count} lines`}`;
  return { title: `The ${which} of ${name}`, matches, isBlock: true };
}

async function range(step: Step): Promise<Selection> {
  const from = step.number('from') ?? 1;
  const to = step.number('to') ?? from;
  if (from < 1 || to < from)
    fail('INPUT_INVALID', `There are no lines ${from} to ${to}. Lines are numbered from 1.`);
  const { name, lines } = await linesFor(step, from, to);
  const title = `${from === to ? `Line ${from}` : `Lines ${from} to ${to}`} of ${name}`;
  return { title, matches: lines.slice(0, to - from + 1), isBlock: true };
}

/** Selects empty lines, distinct lines or repeated lines. */
async function special(step: Step): Promise<Selection> {
  const which = step.word('which');
  if (/^(?:empty|blank)/.test(which)) return searched(step, 'empty line', { pattern: '^\\s*$' });
  const { name, lines } = await linesFor(step);
  const isRepeated = /^(?:dup|rep|dou)/.test(which);
  const times = timesOf(lines.map(({ text }) => text));
  const seen = new Set<string>();
  const isNew = ({ text }: Match) => seen.size < seen.add(text).size;
  const first = lines.filter(
    (one) => isNew(one) && (!isRepeated || (times.get(one.text) ?? 0) > 1),
  );
  const shown = isRepeated ? 'that occur more than once' : 'each once';
  if (!step.has('drop'))
    return { title: `The lines of ${name} ${shown}`, matches: first, isBlock: true };
  // The first of equal lines is kept.
  const again = lines.filter((one) => (times.get(one.text) ?? 0) > 1 && !first.includes(one));
  return { title: `${many(again.length, 'repeated line')} of ${name}`, matches: again };
}

async function longest(step: Step): Promise<Selection> {
  const { name, lines } = await linesFor(step);
  const rank = step.word('rank');
  const sign = rank === 'shortest' ? 1 : -1;
  const lengthOf = (match?: Match) => [...(match?.text ?? '')].length;
  const matches = lines
    .filter(({ text }) => text.trim() !== '')
    .toSorted((a, b) => sign * (lengthOf(a) - lengthOf(b)))
    .slice(0, step.number('n') ?? 1);
  const isOne = matches.length === 1;
  const title = `The ${rank} ${isOne ? 'line' : 'lines'} of ${name}`;
  const length = isOne ? `, ${lengthOf(matches[0])} characters` : '';
  return { title: `${title}${length}`, matches, isBlock: true };
}

async function searched(step: Step, noun: string, search: Search): Promise<Selection> {
  const { matches, place } = await findAll(step, search);
  return { title: `${many(matches.length, noun)} in ${place}`, matches };
}

async function headings(step: Step): Promise<Selection> {
  const { matches, place } = await findAll(step, { pattern: '^#{1,6} ' });
  const title = `${many(matches.length, 'heading')} of ${place}`;
  return { title, matches, shownAs: ({ text }) => `- ${text.trim()}` };
}

async function tasks(step: Step): Promise<Selection> {
  const about = await aboutOf(step);
  const scopes = documentsOf(step, about.length > 0);
  const state = step.word('state');
  const isDone =
    step.has('not') !== /^(?:done|finished|complete|checked|closed|ticked|crossed)/.test(state);
  const pattern = taskLine(state === '' ? '[ xX]' : isDone ? '[xX]' : ' ');
  const isAbout = about.length > 0 || step.has('noun');
  const found = isAbout ? await tasksMeant(step, scopes, about) : undefined;
  const { matches: all, place } = found ?? (await findAll(step, { pattern }, scopes));
  const matches = all.filter(({ text }) => new RegExp(pattern).test(text));
  const which = state === '' ? 'task' : isDone ? 'done task' : 'open task';
  const such = `(lines such as "- [${isDone ? 'x' : ' '}] …")`;
  const isOneFile = found?.isOneFile ?? (step.has('earlier') || scopes.every((one) => one.isFile));
  const shownAs = ({ path, line, text }: Match) =>
    isOneFile ? text.trim() : `${text.trim()} (${path}:${line})`;
  return { title: `${many(matches.length, which)} ${such} in ${place}`, matches, shownAs };
}

const taskLine = (box: string) => String.raw`^\s*(?:[-*+]|\d+[.)])\s+\[${box}\]\s`;

/** The documents to search. @throws TaskError `NOT_FOR_ME` for other files: tasks may also be the rows of a table. */
function documentsOf(step: Step, isAbout: boolean): readonly Scope[] {
  const isFolder = !isAbout || step.tokens('folder')[0]?.kind !== 'word';
  const all = scopesOf(isFolder ? step : { ...step, text: () => '' });
  const other = all.find(({ path, isFile }) => isFile && !document.test(path));
  if (other !== undefined)
    fail('NOT_FOR_ME', `Tasks are found in Markdown and text files, not in ${other.path}.`);
  const globs = step.has('files')
    ? undefined
    : ['**/*.md', '**/*.markdown', ...(isAbout ? ['**/*.txt'] : [])];
  return all.map((scope) => ({ ...scope, globs: scope.globs ?? globs }));
}

/** The words that select tasks. A word in the position of a folder counts if there is no such folder. */
async function aboutOf(step: Step): Promise<readonly Token[]> {
  const folder = step.tokens('folder').filter(({ kind }) => kind === 'word');
  const isFolder = folder.length === 0 || (await findFile(step, step.text('folder'))) !== undefined;
  return [...step.tokens('about'), ...(isFolder ? [] : folder)];
}

/** The tasks that match the words. */
async function tasksMeant(step: Step, scopes: readonly Scope[], words: readonly Token[]) {
  const paths = await pathsIn(step, scopes).catch(() => []);
  const about = await tasksAbout(step, new RegExp(taskLine('[ xX]')), { paths, words });
  if (about === undefined) {
    const named = [step.text('noun'), ...words.map(({ text }) => text)].join(' ').trim();
    fail('NOT_FOR_ME', `No document has tasks of "${named}". For others, ${modelSettings}.`);
  }
  const { matches, files, having: by } = about;
  const having = by === '' ? '' : ` with ${by} in their text, heading or file name`;
  return { matches, place: `${files.join(', ')}${having}`, isOneFile: files.length === 1 };
}

/** Lines with markers such as TODO. In documents without markers: the open tasks. */
async function markers(step: Step): Promise<Selection> {
  const words = ['marker', 'also']
    .filter(step.has)
    .map((name) => step.word(name).replace(/s$/, '').toUpperCase());
  const { matches, place } = await findAll(step, { pattern: `\\b(?:${words.join('|')})\\b` });
  const isInDocuments = scopesOf(step).every(({ path }) => document.test(path));
  if (matches.length === 0 && isInDocuments) return tasks(step);
  const named = words.map((word) => `"${word}"`).join(' or ');
  return { title: `${many(matches.length, 'line')} with ${named} in ${place}`, matches };
}

/** Lines with exactly this text, ignoring bullets and checkboxes. */
async function equal(step: Step): Promise<Selection> {
  const wanted = step.text('equal').trim();
  const { name, lines } = await linesFor(step);
  const plain = (text: string) => text.replace(/^\s*[-*+] (?:\[[ xX]\] )?/, '').trim();
  const matches = lines.filter(({ text }) => [text.trim(), plain(text)].includes(wanted));
  const count = matches.length === 0 ? 'There is no' : matches.length;
  return { title: `${count} line "${wanted}" in ${name}`, matches };
}

/** Lines with all words of a description. */
async function meant(step: Step): Promise<Selection> {
  const { name, lines } = await linesFor(step);
  const texts = meantBy(
    step.text('meant'),
    lines.map(({ text }) => text),
  );
  const matches = lines.filter(({ text }) => texts.includes(text));
  return {
    title: `${many(matches.length, 'line')} with "${step.text('meant')}" in ${name}`,
    matches,
  };
}

/** Lines that contain a text, begin or end with it, or do not. */
async function holding(step: Step): Promise<Selection> {
  const needle = (await levelOf(step)) ?? needleOf(step);
  const isNot = step.has('not');
  if (!step.has('isCount')) {
    const { matches, place } = await findAll(step, needle);
    const which = `${many(matches.length, 'line')} ${isNot ? 'without' : 'with'} ${needle.shown}`;
    return { title: `${which} in ${place}`, matches };
  }
  const { matches, total, place } = await findLines(step, needle);
  const line = step.word('line').replace(/^(start|begin|end).*/, '$1 with');
  const test = `${isNot ? 'do not ' : ''}${line || 'contain'} ${needle.shown}`;
  return { title: `${many(total, 'line')} of ${place} ${test}`, matches, total };
}

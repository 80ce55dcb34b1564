import type { Outcome } from '../../context.ts';
import { formsOf, type Step } from '../../phrases/form.ts';
import { fail } from '../../task-error.ts';
import { listed, type Match, many } from '../file-tool.ts';
import { scopesOf } from '../which-files.ts';
import { findAll, linesFound, timesOf } from './sources.ts';

/** Forms that extract values of a known form from files: addresses, numbers, tasks, headings, notes in code. */
export const extractForms = formsOf(
  `
inside = [<where>|<place>]
headings = [section] (headings?|headers?|section titles|sections)
address = (address|addresses)
what = [distinct:(unique|distinct|different)] what:((email|e-mail|mail) <address>|emails|e-mails|urls?|links?|web addresses|ip <address>|ips|(phone|version) numbers|numbers|dates|hashtags)
state = state:(open|unfinished|unchecked|incomplete|remaining|pending|undone|unticked|outstanding|done|finished|completed|complete|checked|closed|ticked)
tasks = (tasks?|to-dos?|todo items|checkboxes|action items|checklist items)
stated = (<tasks>|todos?|items)
being = (are|is|that are|which are|have been) [still|already|not yet]
marker = marker:(todos?|fixmes?|hacks?|xxx) [and also:(todos?|fixmes?)] [comments?|notes?|markers?|entries|items|lines]
headingsOf: List the headings of {file}
  <look> <headings> <are> <where>
  [<ask>] table of contents (of|in|from|for) {files:file+}
  isCount:(how many) <headings> (does|has) {files:file+} [have|has]
values: List all email addresses in {file}
  <look> <what> <are> [mentioned|found|listed|used] <inside>
  (pull|take|get|grab|fish) [all] <what> out <where>
tasksOf: List the open tasks in {file}
  <look> [still] <state> <stated> <are> <inside>
  <look> <tasks> <are> <inside>
  <look> <stated> <inside> <being> <state>
  <look> <stated> <being> <state> <inside>
  what is [still] state:(left|remaining|open|unchecked|undone|unticked|unfinished) [[to] [be] (do|done|todo)] <inside>
markers: Find all TODO comments
  (<look>|grep|search for|look for|where are|are there [any]) <marker> <are> <inside>
`,
  { headingsOf, values, tasksOf, markers },
);

/** Values: the words for them, their name, their pattern, and a pattern of lines that may hold one. */
const shapes: readonly (readonly [said: RegExp, name: string, value: RegExp, line: string])[] = [
  [
    /mail/,
    'e-mail address',
    /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu,
    '@',
  ],
  [
    /url|link|web/,
    'address',
    /https?:\/\/[^\s<>"'`\])}]*[^\s<>"'`\])}.,;:!?]/gi,
    '[hH][tT][tT][pP]',
  ],
  [
    /^ip/,
    'IP address',
    /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\d|\.\d)/g,
    '\\d',
  ],
  [/phone/, 'phone number', /(?<![\w.-])\+?\(?\d[\d ()/-]{5,18}\d(?![\w.-])/g, '\\d'],
  [/version/, 'version number', /(?<![\w.])v?\d+\.\d+(?:\.\d+)+(?:-[\w.]+)?(?![\w])/g, '\\d'],
  [/number/, 'number', /(?<![\w.])[-+]?\d+(?:[.,]\d+)*(?![\w])/g, '\\d'],
  [/date/, 'date', /\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{4}\b/g, '\\d'],
  [/hashtag/, 'hashtag', /(?<![\p{L}\p{N}&/])#\p{L}[\p{L}\p{N}_-]*/gu, '#'],
];

async function headingsOf(step: Step): Promise<Outcome> {
  const { matches, place } = await findAll(step, { pattern: '^#{1,6} ' });
  const title = `${many(matches.length, 'heading')} of ${place}`;
  return linesFound(step, title, matches, ({ text }) => `- ${text.trim()}`);
}

async function values(step: Step): Promise<Outcome> {
  const said = step.word('what');
  const shape = shapes.find(([words]) => words.test(said));
  const [, name, value, pattern] = shape ?? fail('NOT_UNDERSTOOD', `I can't find "${said}".`);
  const { matches, place } = await findAll(step, { pattern });
  const all = matches.flatMap(({ text }) => text.match(value) ?? []);
  const rows = [...timesOf(all)];
  const isDistinct = step.has('distinct');
  const count = isDistinct ? rows.length : all.length;
  const several = isDistinct || all.length === rows.length ? '' : ` (${rows.length} different)`;
  const title = `${many(count, `${isDistinct ? 'different ' : ''}${name}`)}${several} in ${place}`;
  const shown = rows.map(([one, times]) => `- ${one}${times > 1 ? ` (${times} times)` : ''}`);
  const data = { count, lines: rows.map(([one]) => one), columns: [name, 'times'], rows };
  return listed(title, step.has('isCount') ? [] : shown, data);
}

const document = /\.(?:md|markdown|txt|org)$/i;

/** @throws TaskError `NOT_FOR_ME` for a file that is not a document: the rows of a table may be tasks, too. */
async function tasksOf(step: Step): Promise<Outcome> {
  const all = scopesOf(step);
  const other = all.find(({ path, isFile }) => isFile && !document.test(path));
  if (other !== undefined)
    fail('NOT_FOR_ME', `Tasks are found in Markdown and text files, not in ${other.path}.`);
  const globs = step.has('files') ? undefined : ['**/*.md', '**/*.markdown'];
  const scopes = all.map((scope) => ({ ...scope, globs: scope.globs ?? globs }));
  const state = step.word('state');
  const isDone = /^(?:done|finished|completed?|checked|closed|ticked)$/.test(state);
  const box = state === '' ? '[ xX]' : isDone ? '[xX]' : ' ';
  const search = { pattern: String.raw`^\s*(?:[-*+]|\d+[.)])\s+\[${box}\]\s` };
  const { matches, place } = await findAll(step, search, scopes);
  const which = state === '' ? 'task' : isDone ? 'done task' : 'open task';
  const such = `(lines such as "- [${isDone ? 'x' : ' '}] …")`;
  const isOneFile = step.has('earlier') || (scopes.length === 1 && scopes[0]?.isFile);
  const shownAs = ({ path, line, text }: Match) =>
    isOneFile ? text.trim() : `${text.trim()} (${path}:${line})`;
  const title = `${many(matches.length, which)} ${such} in ${place}`;
  return linesFound(step, title, matches, shownAs);
}

async function markers(step: Step): Promise<Outcome> {
  const words = ['marker', 'also']
    .filter(step.has)
    .map((name) => step.word(name).replace(/s$/, '').toUpperCase());
  const pattern = `\\b(?:${words.join('|')})\\b`;
  const { matches, place } = await findAll(step, { pattern });
  const isInDocument = scopesOf(step).every(({ path }) => document.test(path));
  if (matches.length === 0 && isInDocument) return tasksOf(step);
  const named = words.map((word) => `"${word}"`).join(' or ');
  return linesFound(step, `${many(matches.length, 'line')} with ${named} in ${place}`, matches);
}

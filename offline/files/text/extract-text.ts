import type { HandlerContext, Outcome } from '../../context.ts';
import { type Filled, form } from '../../phrases/form.ts';
import { are, ask, count, place, where } from '../../phrases/fragments.ts';
import { TaskError } from '../../task-error.ts';
import { listed, many } from '../listed.ts';
import { scopesOf, shownScopes } from '../which-files.ts';
import { linesFound } from './search-text.ts';
import { findAll } from './sources.ts';

const look = `(${ask}|isCount:(${count}))`;
const inside = `[${where}|${place}]`;
const distinct = '[distinct:(unique|distinct|different)]';
const state =
  'state:(open|unfinished|unchecked|incomplete|remaining|pending|undone|unticked|outstanding|done|finished|completed|complete|checked|closed|ticked)';
const tasks = '(tasks?|to-dos?|todo items|checkboxes|action items|checklist items)';
const stated = '(tasks?|todos?|to-dos?|todo items|items|checkboxes|action items|checklist items)';
const headings = '[section] (headings?|headers?|section titles|sections)';

/** Values of a known form: how people call them, their name, their pattern, and a pattern of lines that may hold one. */
const shapes: readonly (readonly [said: string, name: string, value: RegExp, line: string])[] = [
  [
    'email addresses|e-mail addresses|mail addresses|email address|e-mail address|emails|e-mails',
    'e-mail address',
    /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu,
    '@',
  ],
  [
    'urls?|links?|web addresses',
    'address',
    /https?:\/\/[^\s<>"'`\])}]*[^\s<>"'`\])}.,;:!?]/gi,
    '[hH][tT][tT][pP]',
  ],
  [
    'ip addresses|ips|ip address',
    'IP address',
    /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\d|\.\d)/g,
    '\\d',
  ],
  ['phone numbers', 'phone number', /(?<![\w.-])\+?\(?\d[\d ()/-]{5,18}\d(?![\w.-])/g, '\\d'],
  [
    'version numbers',
    'version number',
    /(?<![\w.])v?\d+\.\d+(?:\.\d+)+(?:-[\w.]+)?(?![\w])/g,
    '\\d',
  ],
  ['numbers', 'number', /(?<![\w.])[-+]?\d+(?:[.,]\d+)*(?![\w])/g, '\\d'],
  ['dates', 'date', /\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{4}\b/g, '\\d'],
  ['hashtags', 'hashtag', /(?<![\p{L}\p{N}&/])#\p{L}[\p{L}\p{N}_-]*/gu, '#'],
];

/** Forms that extract values of a known form from files: addresses, numbers, tasks, headings, notes in code. */
export const extractForms = [
  form(
    headingsOf,
    'List the headings of {file}',
    `${look} ${headings} ${are} ${where}`,
    `[${ask}] table of contents (of|in|from|for) {files:file+}`,
    `isCount:(how many) ${headings} (does|has) {files:file+} [have|has]`,
  ),
  ...shapes.map(([said, name, value, line]) =>
    form(
      (filled, context) => valuesOf(filled, context, { name, value, line }),
      `List all ${said.split(/[|?]/)[0]} in {file}`,
      `${look} ${distinct} (${said}) ${are} [mentioned|found|listed|used] ${inside}`,
      `(pull|take|get|grab|fish) [all] ${distinct} (${said}) out ${where}`,
    ),
  ),
  form(
    tasksOf,
    'List the open tasks in {file}',
    `${look} [still] ${state} ${stated} ${are} ${inside}`,
    `${look} ${tasks} ${are} ${inside}`,
    `${look} ${stated} ${inside} (are|is|that are|which are|have been) [still|already|not yet] ${state}`,
    `${look} ${stated} (are|is|that are|which are|have been) [still|already] ${state} ${inside}`,
    `what is [still] state:(left|remaining|open) [[to] [be] (do|done|todo)] ${inside}`,
  ),
  form(
    markers,
    'Find all TODO comments',
    `(${look}|grep|search for|look for|where are|are there [any]) marker:(todos?|fixmes?|hacks?|xxx) [and also:(todos?|fixmes?)] [comments?|notes?|markers?|entries|items|lines] ${are} ${inside}`,
  ),
];

async function headingsOf(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const { matches, place } = await findAll(filled, context, { pattern: '^#{1,6} ' });
  const lines = matches.map(({ text }) => text);
  const shown = filled.has('isCount') ? [] : lines.map((text) => `- ${text.trim()}`);
  return listed(`${many(lines.length, 'heading')} of ${place}`, shown, {
    count: lines.length,
    lines,
  });
}

interface Shape {
  /** In the singular. */
  readonly name: string;
  readonly value: RegExp;
  readonly line: string;
}

async function valuesOf(
  filled: Filled,
  context: HandlerContext,
  { name, value, line }: Shape,
): Promise<Outcome> {
  const { matches, place } = await findAll(filled, context, { pattern: line });
  const all = matches.flatMap(({ text }) => text.match(value) ?? []);
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  const isDistinct = filled.has('distinct');
  const several = all.length === counts.size ? '' : ` (${counts.size} different)`;
  const lead = isDistinct
    ? many(counts.size, `different ${name}`)
    : `${many(all.length, name)}${several}`;
  const shown = [...counts].map(
    ([one, times]) => `- ${one}${times > 1 ? ` (${times} times)` : ''}`,
  );
  return listed(`${lead} in ${place}`, filled.has('isCount') ? [] : shown, {
    count: isDistinct ? counts.size : all.length,
    lines: [...counts.keys()],
    columns: [name, 'times'],
    rows: [...counts],
  });
}

const document = /\.(?:md|markdown|txt|org)$/i;

/** @throws TaskError `NOT_FOR_ME` for a file that is not a document: the rows of a table may be tasks, too. */
async function tasksOf(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const other = filled.texts('files').find((path) => !/\/$|\*/.test(path) && !document.test(path));
  if (other !== undefined)
    throw new TaskError(
      'NOT_FOR_ME',
      `Tasks are looked for in Markdown and text files, as lines such as "- [ ] …"; ${other} is no such file.`,
    );
  const state = filled.word('state');
  const isDone = /^(?:done|finished|completed?|checked|closed|ticked)$/.test(state ?? '');
  const box = state === undefined ? '[ xX]' : isDone ? '[xX]' : ' ';
  const scopes = scopesOf(filled).map((scope) =>
    scope.globs === undefined && !filled.has('files')
      ? { ...scope, globs: ['**/*.md', '**/*.markdown'] }
      : scope,
  );
  const search = { pattern: String.raw`^\s*(?:[-*+]|\d+[.)])\s+\[${box}\]\s` };
  const { matches, place } = await findAll(filled, context, search, scopes);
  const which = state === undefined ? '' : isDone ? 'done ' : 'open ';
  const title = `${many(matches.length, `${which}task`)} (lines such as "- [${isDone ? 'x' : ' '}] …") in ${place}`;
  const isOneFile = filled.has('earlier') || (scopes.length === 1 && scopes[0]?.isFile);
  const shown = matches.map(({ path, line, text }) =>
    isOneFile ? text.trim() : `${text.trim()} (${path}:${line})`,
  );
  return listed(title, filled.has('isCount') ? [] : shown, {
    count: matches.length,
    lines: matches.map(({ text }) => text),
    columns: ['path', 'line', 'task'],
    rows: matches.map(({ path, line, text }) => [path, line, text.replace(/^.*?\]\s+/, '')]),
  });
}

async function markers(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const words = ['marker', 'also']
    .flatMap((name) => filled.word(name) ?? [])
    .map((word) => word.replace(/s$/, '').toUpperCase());
  const { matches } = await findAll(filled, context, { pattern: `\\b(?:${words.join('|')})\\b` });
  const scopes = scopesOf(filled);
  const isInDocument = scopes.every(({ path }) => document.test(path));
  if (matches.length === 0 && isInDocument) return tasksOf(filled, context);
  const title = `${many(matches.length, 'line')} with ${words.map((word) => `"${word}"`).join(' or ')} in ${shownScopes(scopes)}`;
  if (!filled.has('isCount')) return linesFound(title, matches);
  return { text: `${title}.`, data: { count: matches.length } };
}

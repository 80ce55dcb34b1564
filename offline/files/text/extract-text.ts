import type { HandlerContext, Outcome } from '../../context.ts';
import { globsOfKind } from '../../language/file-kinds.ts';
import { type Filled, form } from '../../phrases/form.ts';
import { ask, count, place } from '../../phrases/fragments.ts';
import { TaskError } from '../../task-error.ts';
import type { Match } from '../file-tool.ts';
import { many } from '../list-files.ts';
import { shownWanted } from '../wanted-files.ts';
import { linesFound, type Scope, searchAll } from './search-text.ts';

const files = `[(in|from|of|within|inside|across) ({files:file+}|[all|every|each] ({kind:ending}|{kind:glob}) [files?]|[all] files)] ${place}`;
const what =
  'what:(email addresses|e-mail addresses|mail addresses|email address|e-mail address|emails|e-mails|urls?|links?|web addresses|ip addresses|ips|ip address|phone numbers|numbers|dates|hashtags|version numbers)';
const distinct = '[distinct:(unique|distinct|different)]';
const state =
  'state:(open|unfinished|unchecked|incomplete|remaining|pending|undone|unticked|outstanding|done|finished|completed|complete|checked|closed|ticked)';
const tasks = '(tasks?|to-dos?|todo items|checkboxes|action items|checklist items)';
const stated = '(tasks?|todos?|to-dos?|todo items|items|checkboxes|action items|checklist items)';
const marker = 'marker:(todos?|fixmes?|hacks?|xxx)';
const are = '[are there|are|there are|are left|left|exist]';

/** Forms that extract values of a known form from files: addresses, numbers, tasks, notes in code. */
export const extractForms = [
  form(
    values,
    'List all email addresses in {file}',
    `${ask} ${distinct} ${what} ${are} [mentioned|found|listed|used] ${files}`,
    `(pull|take|get|grab|fish) [all] ${distinct} ${what} out of {files:file+}`,
  ),
  form(
    values,
    'How many email addresses are in {file}?',
    `isCount:(${count}) ${distinct} ${what} ${are} [mentioned|found|listed] ${files}`,
  ),
  form(
    tasksOf,
    'List the open tasks in {file}',
    `(${ask}|isCount:(${count})) [still] ${state} ${stated} ${are} ${files}`,
    `(${ask}|isCount:(${count})) ${tasks} ${are} ${files}`,
    `(${ask}|isCount:(${count})) ${stated} ${files} (are|is|that are|which are|have been) [still|already|not yet] ${state}`,
    `(${ask}|isCount:(${count})) ${stated} (are|is|that are|which are|have been) [still|already] ${state} ${files}`,
    `what is [still] state:(left|remaining|open) [to do|todo] ${files}`,
    `what is [still] state:(left|remaining|open) to [be] (do|done) ${files}`,
  ),
  form(
    markers,
    'Find all TODO comments',
    `(${ask}|isCount:(${count})|grep|search for|look for) ${marker} [and also:(todos?|fixmes?)] [comments?|notes?|markers?|entries|items|lines] ${are} ${files}`,
    `(where are|are there [any]) ${marker} [comments?|notes?] ${files}`,
  ),
];

interface Shape {
  readonly said: RegExp;
  /** In the singular. */
  readonly name: string;
  readonly pattern: RegExp;
  /** A regular expression that matches each line with such a value. */
  readonly line: string;
}

const shapes: readonly Shape[] = [
  {
    said: /mail/,
    name: 'e-mail address',
    pattern: /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu,
    line: '@',
  },
  {
    said: /url|link|web/,
    name: 'address',
    pattern: /https?:\/\/[^\s<>"'`\])}]*[^\s<>"'`\])}.,;:!?]/gi,
    line: '[hH][tT][tT][pP]',
  },
  {
    said: /^ip/,
    name: 'IP address',
    pattern:
      /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\d|\.\d)/g,
    line: '\\d',
  },
  {
    said: /phone/,
    name: 'phone number',
    pattern: /(?<![\w.-])\+?\(?\d[\d ()/-]{5,18}\d(?![\w.-])/g,
    line: '\\d',
  },
  {
    said: /version/,
    name: 'version number',
    pattern: /(?<![\w.])v?\d+\.\d+(?:\.\d+)+(?:-[\w.]+)?(?![\w])/g,
    line: '\\d',
  },
  {
    said: /number/,
    name: 'number',
    pattern: /(?<![\w.])[-+]?\d+(?:[.,]\d+)*(?![\w])/g,
    line: '\\d',
  },
  {
    said: /date/,
    name: 'date',
    pattern: /\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{4}\b/g,
    line: '\\d',
  },
  {
    said: /hashtag/,
    name: 'hashtag',
    pattern: /(?<![\p{L}\p{N}&/])#\p{L}[\p{L}\p{N}_-]*/gu,
    line: '#',
  },
];

/** Files, a folder, or every file of a kind. Default: the whole workspace. */
function scopesOf(filled: Filled): readonly Scope[] {
  const paths = filled.texts('files');
  if (paths.length > 0)
    return paths.map((path) => ({ path: path.replace(/(?<=.)\/+$/, ''), globs: undefined }));
  const kind = filled.text('kind');
  const globs = kind === undefined ? undefined : globsOfKind(kind).map((glob) => `**/${glob}`);
  return [{ path: (filled.text('folder') ?? '.').replace(/(?<=.)\/+$/, ''), globs }];
}

async function matchesIn(
  context: HandlerContext,
  scopes: readonly Scope[],
  search: { readonly pattern: string; readonly shown: string; readonly ignoreCase?: boolean },
): Promise<readonly Match[]> {
  const found: Match[] = [];
  for (const scope of scopes) found.push(...(await searchAll(context, scope, search)).matches);
  return found;
}

const shownScopes = (scopes: readonly Scope[]) => scopes.map(shownWanted).join(', ');

async function values(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const said = filled.word('what') ?? '';
  const shape = shapes.find((one) => one.said.test(said));
  if (shape === undefined)
    throw new TaskError('NOT_UNDERSTOOD', `It is not known what "${said}" look like.`);
  const { name, pattern } = shape;
  const scopes = scopesOf(filled);
  const search = { pattern: shape.line, shown: `the shape of ${name}` };
  const found = await matchesIn(context, scopes, search);
  const all = found.flatMap(({ text }) => [...text.matchAll(pattern)].map(([value]) => value));
  const counts = new Map<string, number>();
  for (const value of all) counts.set(value, (counts.get(value) ?? 0) + 1);
  const isDistinct = filled.word('distinct') !== undefined;
  const lead = leadOf(name, { all: all.length, distinct: counts.size, isDistinct });
  const text = `${lead} in ${shownScopes(scopes)}`;
  const isCount = filled.word('isCount') !== undefined || all.length === 0;
  return {
    text: isCount ? `${text}.` : `${text}:\n\n${[...counts].map(shownValue).join('\n')}`,
    data: {
      count: isDistinct ? counts.size : all.length,
      lines: [...counts.keys()],
      columns: [name, 'times'],
      rows: [...counts],
    },
  };
}

const shownValue = ([value, times]: readonly [string, number]) =>
  `- ${value}${times > 1 ? ` (${times} times)` : ''}`;

interface Amounts {
  readonly all: number;
  readonly distinct: number;
  readonly isDistinct: boolean;
}

/** `3 e-mail addresses (2 different)`. */
function leadOf(name: string, { all, distinct, isDistinct }: Amounts): string {
  const plural = name.endsWith('address') ? `${name}es` : `${name}s`;
  const amount = isDistinct ? distinct : all;
  const noun = amount === 1 ? name : plural;
  if (isDistinct) return `${distinct} different ${noun}`;
  return `${all} ${noun}${all === distinct ? '' : ` (${distinct} different)`}`;
}

/** @throws TaskError `NOT_FOR_ME` for a file that is not a document: the rows of a table may be tasks, too. */
function assertDocuments(filled: Filled): void {
  const other = filled.texts('files').find((path) => !document.test(path));
  if (other === undefined) return;
  throw new TaskError(
    'NOT_FOR_ME',
    `Tasks are looked for in Markdown and text files, as lines such as "- [ ] …"; ${other} is no such file.`,
  );
}

const document = /\.(?:md|markdown|txt|org)$/i;

const OPEN = String.raw`^\s*(?:[-*+]|\d+[.)])\s+\[ \]\s`;
const DONE = String.raw`^\s*(?:[-*+]|\d+[.)])\s+\[[xX]\]\s`;

async function tasksOf(filled: Filled, context: HandlerContext): Promise<Outcome> {
  assertDocuments(filled);
  const state = filled.word('state');
  const isDone = /^(?:done|finished|completed?|checked|closed|ticked)$/.test(state ?? '');
  const pattern = state === undefined ? `${OPEN}|${DONE}` : isDone ? DONE : OPEN;
  const named = scopesOf(filled);
  const scopes = named.map((scope) =>
    scope.globs === undefined && filled.texts('files').length === 0
      ? { ...scope, globs: ['**/*.md', '**/*.markdown'] }
      : scope,
  );
  const found = await matchesIn(context, scopes, { pattern, shown: 'tasks' });
  const which = state === undefined ? '' : isDone ? 'done ' : 'open ';
  const title = `${many(found.length, `${which}task`)} (lines such as "- [${isDone ? 'x' : ' '}] …") in ${shownScopes(scopes)}`;
  const isOneFile =
    scopes.length === 1 && scopes[0]?.path !== '.' && scopes[0]?.globs === undefined;
  const list = found.map(({ path, line, text }) =>
    isOneFile ? text.trim() : `${text.trim()} (${path}:${line})`,
  );
  const isCount = filled.word('isCount') !== undefined;
  return {
    text: isCount || found.length === 0 ? `${title}.` : `${title}:\n\n${list.join('\n')}`,
    data: {
      count: found.length,
      lines: found.map(({ text }) => text),
      columns: ['path', 'line', 'task'],
      rows: found.map(({ path, line, text }) => [path, line, text.replace(/^.*?\]\s+/, '')]),
    },
  };
}

async function markers(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const words = [filled.word('marker'), filled.word('also')].flatMap((word) =>
    word === undefined ? [] : [word === 'xxx' ? 'XXX' : word.replace(/s$/, '').toUpperCase()],
  );
  const scopes = scopesOf(filled);
  const pattern = `\\b(?:${words.join('|')})\\b`;
  const found = await matchesIn(context, scopes, { pattern, shown: words.join(' and ') });
  const isInDocument = scopes.every(({ path }) => document.test(path));
  if (found.length === 0 && isInDocument) return tasksOf(filled, context);
  const title = `${many(found.length, 'line')} with ${words.map((word) => `"${word}"`).join(' or ')} in ${shownScopes(scopes)}`;
  if (filled.word('isCount') === undefined) return linesFound(title, found);
  return { text: `${title}.`, data: { count: found.length } };
}

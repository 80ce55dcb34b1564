import type { HandlerContext, Outcome } from '../../context.ts';
import { globsOfKind } from '../../language/file-kinds.ts';
import { type Filled, form, need } from '../../phrases/form.ts';
import {
  anyCase,
  deep,
  earlier,
  edge,
  has,
  needle,
  negation,
  quotedNeedle,
  show,
} from '../../phrases/fragments.ts';
import { TaskError } from '../../task-error.ts';
import { type Match, type Matches, searchLines } from '../file-tool.ts';
import { many } from '../list-files.ts';
import { onlyText } from '../results/results.ts';
import { shownWanted } from '../wanted-files.ts';
import { isInCapitals, needleOf } from './needle.ts';

const find = '(search for|look for|search|look|grep|grep for|scan|scan for)';
const project =
  '[this|current|whole|entire] (folder|directory|workspace|project|repo|repository|codebase|code|sources)';
const where = `(in|of|from|inside|under|within|through|across) ([all|every|each] [folder|directory|file] {where:file|glob} [folder|directory|files?]|[all|every|each] [of] [{kind:ending}] files? [(in|of|under|inside) ({folder:file}|${project})]|${project}|[folder|directory] {folder:name} [folder|directory])`;
const of =
  '[lines? [that|which] (contain|containing|with|mentioning|mention)|occurrences of|mentions of|places with]';

/** Forms that find lines in the result of one earlier step. */
export const searchResultForms = [
  form(
    linesOfResult,
    'Show the lines of it that contain "error"',
    `${show} [lines [that] ${has}|occurrences of] ${needle} (in|of|from) ${earlier} ${anyCase}`,
    `${show} lines (in|of|from) ${earlier} [that|which] ${has} ${needle} ${anyCase}`,
    `(search|grep) ${earlier} for ${needle} ${anyCase}`,
  ),
];

/** Forms that find lines, or the files with such lines. */
export const searchForms = [
  form(
    headings,
    'List the headings of {file}',
    `(${show}|what are|count) [all|how many] [section] (headings|headers|section titles|sections) (of|in|from) {file}`,
    `[${show}] table of contents (of|in|from|for) {file}`,
    `how many (headings|headers|sections) (are|are there|does|has) [in] {file} [have|has]`,
  ),
  form(
    lines,
    'Find the lines in {file} that contain "error"',
    `(search|grep|scan|look) [in|through|inside|into] [all] ({where:file|glob}|${project}|[{kind:ending}] files [(in|of|under|inside) {folder:file}]|[folder|directory] {folder:name} [folder|directory]) for [all] ${of} ${needle} ${anyCase}`,
    `${find} [all] ${of} ${needle} [${where}] ${deep} ${anyCase}`,
    `${show} [occurrences of|mentions of|places with|lines with] ${quotedNeedle} ${where} ${deep} ${anyCase}`,
    `${show} (occurrences|mentions) of ${needle} ${where} ${deep} ${anyCase}`,
    `(${show}|which|what are) lines ${where} [that|which] ${negation} (${has}|${edge}) ${needle} ${anyCase}`,
    `(${show}|which|what are) lines [that|which] ${negation} (${has}|${edge}) ${needle} ${where} ${anyCase}`,
    `where (is|does|do) ${needle} (mentioned|used|occur|appear|defined|found) [${where}] ${anyCase}`,
  ),
  form(
    files,
    'Which files contain "TODO"?',
    `(which|what) [{kind:ending}] files [(in|of|under) ({folder:file}|${project}|{folder:name} [folder|directory])] ${has} ${needle} ${anyCase}`,
    `(which|what) [{kind:ending}] files (use|call|import|reference|refer to|require) ${needle} ${anyCase}`,
    `${show} [names of] [{kind:ending}] files [(in|under|of) {folder:file} [folder|directory]] [that|which] ${has} ${quotedNeedle} ${anyCase}`,
    `${show} [names of] [{kind:ending}] files [that|which] ${has} ${quotedNeedle} (in|under|of) ({folder:file} [folder|directory]|${project}) ${anyCase}`,
  ),
];

/** Forms that find a bare word. Tried last, and only for words in capitals. */
export const wordForms = [
  form(
    bareWord,
    'Find the lines in {file} that contain "error"',
    `(find|list|show|get) [me] [all] {bare:name} ${where} ${deep} ${anyCase}`,
  ),
];

function bareWord(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const word = filled.text('bare') ?? '';
  if (isInCapitals(word)) return lines(filled, context);
  throw new TaskError(
    'NOT_UNDERSTOOD',
    `I can't place "${word}". I find a text in files where it stands in quotes: Find "${word}" in …`,
  );
}

/** Longest text of all lines found, in characters: a result contains it more than once. */
const MAX_FOUND_CHARS = 500_000;

export interface Scope {
  readonly path: string;
  readonly globs: readonly string[] | undefined;
}

/** The file, folder or kind of files that a filled form searches. */
export function scopeOf(filled: Filled): Scope {
  const [named] = filled.tokens('where');
  if (named?.kind === 'glob')
    return { path: '.', globs: [named.text.includes('/') ? named.text : `**/${named.text}`] };
  const path = (named?.text ?? filled.text('folder') ?? '.').replace(/(?<=.)\/+$/, '');
  const kind = filled.text('kind');
  return {
    path,
    globs: kind === undefined ? undefined : globsOfKind(kind).map((glob) => `**/${glob}`),
  };
}

/**
 * Finds lines, all of them.
 *
 * @throws TaskError `INPUT_TOO_LARGE` if they do not fit into a result.
 */
export async function searchAll(
  context: HandlerContext,
  { path, globs }: Scope,
  {
    pattern,
    ignoreCase = false,
    shown,
  }: { readonly pattern: string; readonly ignoreCase?: boolean; readonly shown: string },
): Promise<Matches> {
  const found = await searchLines(context, path, { pattern, ignoreCase, globs });
  const chars = found.matches.reduce((sum, { text }) => sum + text.length, 0);
  if (!found.truncated && chars <= MAX_FOUND_CHARS) return found;
  throw new TaskError(
    'INPUT_TOO_LARGE',
    `${found.total} lines match ${shown} in ${shownWanted({ path, globs })}; they do not fit into a result. Narrow the search, or ask for their number.`,
  );
}

async function search(filled: Filled, context: HandlerContext) {
  const scope = scopeOf(filled);
  const needle = needleOf(filled);
  const isNot = filled.word('not') !== undefined;
  const pattern = isNot ? `^(?!.*(?:${needle.pattern}))` : needle.pattern;
  const found = await searchAll(context, scope, { ...needle, pattern });
  const shown = `${isNot ? 'without' : 'with'} ${needle.shown}${needle.ignoreCase ? ' in any letter case' : ''}`;
  return { ...found, scope, shown };
}

/** Lines, with the name of the file if there are several. */
async function lines(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const { matches, scope, shown } = await search(filled, context);
  return linesFound(`${many(matches.length, 'line')} ${shown} in ${shownWanted(scope)}`, matches);
}

const shownMatch = ({ path, line, text }: Match) => `- ${path}:${line}: ${text.trim()}`;

export const linesFound = (title: string, matches: readonly Match[]): Outcome => ({
  text: matches.length === 0 ? `${title}.` : `${title}:\n\n${matches.map(shownMatch).join('\n')}`,
  data: {
    count: matches.length,
    lines: matches.map(({ text }) => text),
    columns: ['path', 'line', 'text'],
    rows: matches.map(({ path, line, text }) => [path, line, text]),
  },
});

async function files(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const { matches, scope, shown } = await search(filled, context);
  const counts = new Map<string, number>();
  for (const { path } of matches) counts.set(path, (counts.get(path) ?? 0) + 1);
  const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const title = `${many(rows.length, 'file')} of ${shownWanted(scope)} contain ${shown.replace(/^with /, '')}`;
  const list = rows.map(([path, count]) => `- ${path} (${many(count, 'line')})`);
  return {
    text: rows.length === 0 ? `${title}.` : `${title}:\n\n${list.join('\n')}`,
    data: { count: rows.length, columns: ['path', 'lines'], rows },
  };
}

async function headings(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'file');
  const scope = { path, globs: undefined };
  const { matches } = await searchAll(context, scope, { pattern: '^#{1,6} ', shown: 'headings' });
  const list = matches.map(({ text }) => `- ${text.trim()}`).join('\n');
  return {
    text:
      matches.length === 0
        ? `${path} has no headings.`
        : `${many(matches.length, 'heading')} of ${path}:\n\n${list}`,
    data: { count: matches.length, lines: matches.map(({ text }) => text) },
  };
}

function linesOfResult(filled: Filled, context: HandlerContext): Outcome {
  const needle = needleOf(filled);
  const { name, text } = onlyText(context.results);
  const pattern = new RegExp(needle.pattern, needle.ignoreCase ? 'i' : '');
  const found = text.split('\n').filter((line) => line.length < 100_000 && pattern.test(line));
  const title = `${many(found.length, 'line')} with ${needle.shown} in the result of ${name}`;
  const list = found.map((line) => `- ${line.trim()}`).join('\n');
  return {
    text: found.length === 0 ? `${title}.` : `${title}:\n\n${list}`,
    data: { count: found.length, lines: found },
  };
}

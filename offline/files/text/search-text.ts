import type { HandlerContext, Outcome } from '../../context.ts';
import { type Filled, form } from '../../phrases/form.ts';
import {
  anyCase,
  are,
  ask,
  count,
  deep,
  has,
  needle,
  quotedNeedle,
  show,
  test,
  where,
} from '../../phrases/fragments.ts';
import { TaskError } from '../../task-error.ts';
import type { Match } from '../file-tool.ts';
import { listed, many } from '../listed.ts';
import { findAll, findLines, type Search, sourcesOf } from './sources.ts';

const find = '(search for|look for|search|look|grep|grep for|scan|scan for)';
const of =
  '[lines? [that|which] (contain|containing|with|mentioning|mention)|occurrences of|mentions of|places with]';
const inside = `[${where}] ${anyCase}`;
const files = '[{kind:ending}|{kind:glob}] files';

/** Forms that find lines with a text, the files with such lines, or their number. */
export const searchForms = [
  form(
    lines,
    'Find the lines in {file} that contain "error"',
    `(search|grep|scan|look) [in|through|inside|into] ([all] {files:file|glob+} [files?|folder|directory]|${files} [(in|of|under|inside) {folder:file}]|earlier:(it|them|output|results?|page|text|response)|[folder|directory] {folder:name} [folder|directory]|[this|whole|entire] (folder|project|workspace|repository)) for [all] ${of} ${needle} ${anyCase}`,
    `${find} [all] ${of} ${needle} ${inside} ${deep}`,
    `${show} [occurrences of|mentions of|places with|lines with] ${quotedNeedle} ${where} ${anyCase}`,
    `${show} (occurrences|mentions) of ${needle} ${where} ${anyCase}`,
    `(${ask}|isCount:(${count})) lines ${are} ${where} ${test} ${anyCase}`,
    `(${ask}|isCount:(${count})) lines ${test} ${are} ${where} ${anyCase}`,
    `where (is|does|do) ${needle} (mentioned|used|occur|appear|defined|found) ${inside}`,
  ),
  form(
    capitals,
    'Count the lines in {file} that contain "ERROR"',
    `isCount:(${count}) {bare:name} lines ${are} ${where}`,
  ),
  form(
    occurrences,
    'How often does "error" occur in {file}?',
    `(how often|how many times|count how often|count how many times) [does|do|is] ${needle} (occurs?|appears?|mentioned|is mentioned|found|used|come up) (${where}|{files:file}) ${anyCase}`,
    `${count} (occurrences?|times|appearances|mentions|instances) of ${needle} ${where} ${anyCase}`,
  ),
  form(
    filesWith,
    'Which files contain "TODO"?',
    `(which|what) ${files} [${where}] (${has}|use|call|import|reference|refer to|require) ${needle} ${anyCase}`,
    `(${show}|isCount:(${count})) [names of] ${files} [${where}] [that|which] ${has} ${quotedNeedle} ${inside}`,
  ),
];

/** Forms that find a bare word. Tried last, and only for words in capitals. */
export const wordForms = [
  form(
    capitals,
    'Find the lines in {file} that contain "error"',
    `(find|list|show|get) [me] [all] {bare:name} ${where} ${anyCase}`,
  ),
];

/** The text to find, as a regular expression and in words. */
export interface Needle extends Search {
  readonly shown: string;
}

/** Words that describe a search in a way that no form knows, so they are not the text to find. */
const vague =
  /^(?:errors?|warnings?|anything|something|everything|files?|lines?|words?|it|them|duplicates?|which|what|that|no|not|any|all)$/i;

const isInCapitals = (text: string): boolean => /^[A-Z][A-Z0-9_]+$/.test(text);

/**
 * The needle of a filled form; `line` is its position in a line. A bare word must look like text in a file.
 *
 * @throws TaskError `NOT_UNDERSTOOD` for a bare word that may be a description.
 */
export function needleOf(filled: Filled): Needle {
  const ignoreCase = filled.has('nocase');
  const [quoted] = filled.tokens('needle');
  const text = quoted?.text ?? filled.text('bare') ?? '';
  const isVague = vague.test(text) || text === '';
  if (quoted === undefined && isVague && !isInCapitals(text) && !ignoreCase)
    throw new TaskError(
      'NOT_UNDERSTOOD',
      `It is not clear which text to look for: put "${text}" in quotes if it is that text.`,
    );
  const isPattern = quoted?.kind === 'pattern' || filled.has('isPattern');
  const found = isPattern ? text : text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const line = filled.word('line');
  const placed =
    line === undefined ? found : line.startsWith('end') ? `(?:${found})$` : `^(?:${found})`;
  const pattern = filled.has('not') ? `^(?!.*(?:${placed}))` : placed;
  return { pattern, ignoreCase, shown: `"${text}"${ignoreCase ? ' (in any letter case)' : ''}` };
}

async function lines(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const needle = needleOf(filled);
  const isNot = filled.has('not');
  if (filled.has('isCount')) return countOf(filled, context, needle);
  const { matches, place } = await findAll(filled, context, needle);
  const which = `${many(matches.length, 'line')} ${isNot ? 'without' : 'with'} ${needle.shown}`;
  return linesFound(`${which} in ${place}`, matches);
}

async function countOf(filled: Filled, context: HandlerContext, needle: Needle): Promise<Outcome> {
  const { total, place } = await findLines(filled, context, needle);
  const line = filled.word('line');
  const where = line === undefined ? 'contain' : line.startsWith('end') ? 'end with' : 'start with';
  const isNot = filled.has('not') ? 'do not ' : '';
  return {
    text: `${many(total, 'line')} of ${place} ${isNot}${where} ${needle.shown}.`,
    data: { count: total, path: place },
  };
}

/** `ERROR lines` contain that word; `error lines` may mean anything. */
function capitals(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const word = filled.text('bare') ?? '';
  if (isInCapitals(word)) return lines(filled, context);
  throw new TaskError(
    'NOT_UNDERSTOOD',
    `I can't place "${word}". I find a text in files where it stands in quotes: Find the lines that contain "${word}" in …`,
  );
}

async function occurrences(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const needle = needleOf(filled);
  const { matches, total, truncated, place } = await findLines(filled, context, needle);
  const pattern = new RegExp(needle.pattern, needle.ignoreCase ? 'gi' : 'g');
  const texts = truncated
    ? (await sourcesOf(filled, context)).map(({ content }) => content)
    : matches.map(({ text }) => text);
  const found = texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
  return {
    text: `${needle.shown} occurs ${many(found, 'time')} in ${place}, on ${many(total, 'line')}.`,
    data: { count: found, lines: total, path: place },
  };
}

export const linesFound = (title: string, matches: readonly Match[]): Outcome => {
  const shown = matches.map(({ path, line, text }) =>
    path === '' ? `- ${text.trim()}` : `- ${path}:${line}: ${text.trim()}`,
  );
  return listed(title, shown, {
    count: matches.length,
    lines: matches.map(({ text }) => text),
    columns: ['path', 'line', 'text'],
    rows: matches.map(({ path, line, text }) => [path, line, text]),
  });
};

async function filesWith(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const needle = needleOf(filled);
  const { matches, place } = await findAll(filled, context, needle);
  const counts = new Map<string, number>();
  for (const { path } of matches) counts.set(path, (counts.get(path) ?? 0) + 1);
  const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const title = `${many(rows.length, 'file')} of ${place} contain ${needle.shown}`;
  const list = rows.map(([path, count]) => `- ${path} (${many(count, 'line')})`);
  return listed(title, filled.has('isCount') ? [] : list, {
    count: rows.length,
    columns: ['path', 'lines'],
    rows,
  });
}

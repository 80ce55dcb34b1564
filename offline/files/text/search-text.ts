import type { Outcome } from '../../context.ts';
import { formsOf, type Step } from '../../phrases/form.ts';
import { fail } from '../../task-error.ts';
import { listed, many } from '../file-tool.ts';
import { findAll, findLines, linesFound, type Search, sourcesOf, timesOf } from './sources.ts';

/** Forms that find lines with a text, the files with such lines, or their number. */
export const searchForms = formsOf(
  `
find = (search for|look for|search|look|grep|grep for|scan|scan for)
of = [lines? [that|which] (contain|containing|with|mentioning|mention)|occurrences of|mentions of|places with]
inside = [<where>] <anyCase>
files = <kind> files
within = [in|through|inside|into] [all] ({files:file|glob+} [files?|<fold>]|<files> [(in|of|under|inside) {folder:file}]|<earlier>|[<fold>] {folder:name} [<fold>]|<project>)
lines: Find the lines in {file} that contain "error"
  (search|grep|scan|look) <within> for [all] <of> <needle> <anyCase>
  <find> [all] <of> <needle> <inside> <below>
  <show> [occurrences of|mentions of|places with|lines with] <quoted> <where> <anyCase>
  <show> (occurrences|mentions) of <needle> <where> <anyCase>
  <look> lines <are> <where> <testing>
  <look> lines <testing> <are> <where> <anyCase>
  where (is|does|do) <needle> (mentioned|used|occur|appear|defined|found) <inside>
capitals: Count the lines in {file} that contain "ERROR"
  isCount:(<count>) {bare:name} lines <are> <where>
occurrences: How often does "error" occur in {file}?
  (how often|how many times|count how often|count how many times) [does|do|is] <needle> (occurs?|appears?|mentioned|is mentioned|found|used|come up) (<where>|{files:file}) <anyCase>
  <count> (occurrences?|times|appearances|mentions|instances) of <needle> <where> <anyCase>
filesWith: Which files contain "TODO"?
  (which|what) <files> [<where>] (<has>|use|call|import|reference|refer to|require) <needle> <inside>
  (<show>|isCount:(<count>)) [names of] <files> [<where>] [that|which] <has> <quoted> <inside>
`,
  { lines, capitals, occurrences, filesWith },
);

/** Forms that find a bare word. Tried last, and only for words in capitals. */
export const wordForms = formsOf(
  `
capitals: Find the lines in {file} that contain "error"
  (find|list|show|get) [me] [all] {bare:name} <where> <anyCase>
`,
  { capitals },
);

/** The text to find, as a regular expression and in words. */
export interface Needle extends Search {
  readonly shown: string;
}

/** Words that describe a search in a way that no form knows, so they are not the text to find. */
const vague =
  /^(?:|errors?|warnings?|anything|something|everything|files?|lines?|words?|it|them|duplicates?|which|what|that|no|not|any|all)$/i;

const isInCapitals = (text: string): boolean => /^[A-Z][A-Z0-9_]+$/.test(text);

/**
 * The needle of a step; `line` is its position in a line. A bare word must look like text in a file.
 *
 * @throws TaskError `NOT_UNDERSTOOD` for a bare word that may be a description.
 */
export function needleOf(step: Step): Needle {
  const ignoreCase = step.has('nocase');
  const text = step.text('needle') || step.text('bare');
  if (!step.has('needle') && vague.test(text) && !isInCapitals(text) && !ignoreCase)
    fail(
      'NOT_UNDERSTOOD',
      `It is not clear which text to find: put "${text}" in quotes if it is that.`,
    );
  const isPattern = step.tokens('needle')[0]?.kind === 'pattern' || step.has('isPattern');
  const found = isPattern ? text : text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const [before, after] = step.word('line').startsWith('end') ? ['', '$'] : ['^', ''];
  const placed = step.has('line') ? `${before}(?:${found})${after}` : found;
  const pattern = step.has('not') ? `^(?!.*(?:${placed}))` : placed;
  return { pattern, ignoreCase, shown: `"${text}"${ignoreCase ? ' (in any letter case)' : ''}` };
}

async function lines(step: Step): Promise<Outcome> {
  const needle = needleOf(step);
  const isNot = step.has('not');
  if (!step.has('isCount')) {
    const { matches, place } = await findAll(step, needle);
    const which = `${many(matches.length, 'line')} ${isNot ? 'without' : 'with'} ${needle.shown}`;
    return linesFound(step, `${which} in ${place}`, matches);
  }
  const { total, place } = await findLines(step, needle);
  const line = step.word('line').replace(/^(start|begin|end).*/, '$1 with');
  const test = `${isNot ? 'do not ' : ''}${line || 'contain'} ${needle.shown}`;
  return listed(`${many(total, 'line')} of ${place} ${test}`, [], { count: total, path: place });
}

/** `ERROR lines` contain that word; `error lines` may mean anything. */
function capitals(step: Step): Promise<Outcome> {
  const word = step.text('bare');
  if (isInCapitals(word)) return lines(step);
  const how = `I find a text where it stands in quotes: Find the lines that contain "${word}" in …`;
  return fail('NOT_UNDERSTOOD', `I can't place "${word}". ${how}`);
}

async function occurrences(step: Step): Promise<Outcome> {
  const needle = needleOf(step);
  const { matches, total, truncated, place } = await findLines(step, needle);
  const pattern = new RegExp(needle.pattern, needle.ignoreCase ? 'gi' : 'g');
  const texts = truncated
    ? (await sourcesOf(step)).map(({ content }) => content)
    : matches.map(({ text }) => text);
  const count = texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
  const where = `in ${place}, on ${many(total, 'line')}`;
  const title = `${needle.shown} occurs ${many(count, 'time')} ${where}`;
  return listed(title, [], { count, lines: total, path: place });
}

async function filesWith(step: Step): Promise<Outcome> {
  const needle = needleOf(step);
  const { matches, place } = await findAll(step, needle);
  const rows = [...timesOf(matches.map(({ path }) => path))].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const title = `${many(rows.length, 'file')} of ${place} contain ${needle.shown}`;
  const list = rows.map(([path, count]) => `- ${path} (${many(count, 'line')})`);
  const data = { count: rows.length, columns: ['path', 'lines'], rows };
  return listed(title, step.has('isCount') ? [] : list, data);
}

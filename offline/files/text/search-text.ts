import type { Outcome } from '../../context.ts';
import { formsOf, type Step } from '../../phrases/form.ts';
import { listed, many } from '../file-tool.ts';
import { scopesOf } from '../which-files.ts';
import { needleOf } from './needle.ts';
import { showLines } from './show-lines.ts';
import { findAll, findLines, linesOf, sourcesOf, timesOf } from './sources.ts';

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
  <show> ([places with|lines with] <quoted>|(occurrences|mentions) of <needle>) <where> <anyCase>
  (find|show [me]|<find>) [everything|anything|all lines|lines?|line] (about|on|regarding|concerning|mentioning|for) <needle> <inside> <below>
  where (is|does|do) <needle> (mentioned|used|occur|appear|come up|defined|found) <inside>
occurrences: How often does "error" occur in {file}?
  (how often|how many times|count how often|count how many times) [does|do|is] <needle> (occurs?|appears?|mentioned|is mentioned|found|used|come up) (<where>|{files:file}) <anyCase>
  ((how often|how many times) (do|did) (i|we) (write|use|say|mention)|<count> (occurrences?|times|appearances|mentions|instances) of) <needle> <where> <anyCase>
filesWith: Which files contain "TODO"?
  (which|what) [of] (<files>|notes|documents|texts) [<where>] (<has>|use|call|import|reference|refer to|require) <needle> <inside>
  (<show>|isCount:(<count>)) [names of] <files> [<where>] [that|which] <has> <quoted> <inside>
  in (which|what) [of] <files> (does|do|is|are) (<needle>|{bare:words}) (mentioned|used|occur|appear|come up|found) <inside>
  (which|what) [of] <files> [<where>] (mention|mentions|name|names|talk about|talks about) {bare:words}
`,
  { lines: showLines, occurrences, filesWith },
);

/** Forms that find an unquoted word. Tried last, and only for words in capitals. */
export const wordForms = formsOf(
  `
capitals: Find the lines in {file} that contain "error"
  (find|list|show|get) [me] [all] {asName:name} <where> <anyCase>
`,
  { capitals: showLines },
);

/** The search shows only this part of a longer line, in characters. */
const MAX_SHOWN = 500;

async function occurrences(step: Step): Promise<Outcome> {
  const needle = needleOf(step, true);
  const anyCase = { ...needle, ignoreCase: true };
  const { matches, truncated, path, place } = await findLines(step, anyCase);
  const isPart = truncated || matches.some(({ text }) => text.length >= MAX_SHOWN);
  const texts = isPart
    ? (await sourcesOf(step, scopesOf(step))).map(({ content }) => content)
    : matches.map(({ text }) => text);
  const timesIn = (text: string, { pattern, ignoreCase }: typeof needle) =>
    text.match(new RegExp(pattern, ignoreCase ? 'gi' : 'g'))?.length ?? 0;
  const all = texts.flatMap(linesOf);
  const counts = all.map((line) => timesIn(line, needle));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const [count, any] = [sum(counts), sum(all.map((line) => timesIn(line, anyCase)))];
  const lines = counts.filter((one) => one > 0).length;
  const other = any > count ? ` (${many(any, 'time')} in any letter case)` : '';
  const title = `${needle.shown} occurs ${many(count, 'time')} in ${place}, on ${many(lines, 'line')}${other}`;
  return listed(title, [], { count, lines, path });
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

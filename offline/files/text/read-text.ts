import type { Outcome } from '../../context.ts';
import { fenced, markdownCell } from '../../language/escape.ts';
import { type Act, formsOf, type Step } from '../../phrases/form.ts';
import { fail } from '../../task-error.ts';
import { readLines } from '../file-tool.ts';
import { writeFor } from '../write-checked.ts';
import { linesOf, sourcesOf, timesOf } from './sources.ts';

/** Some lines or words of a text, with a title. */
type Pick = (
  step: Step,
  lines: readonly string[],
  name: string,
) => { readonly title: string; readonly found: readonly string[] };

/** Forms that show files or some lines or words of a text. */
export const readForms = formsOf(
  `
show = (read|show|print|display|open|cat|view|give|get|output|list|extract|see) [me] [all] [of]
end = end:(first|last|top|bottom|opening|final)
some = [{n}] [isOne:(line)|lines]
to = (to|into|in|as) <newFile> {target:file}
way = [way:([in] (descending|reverse|ascending) [order]|reversed)]
most = (most (common|frequent|used|often used)|commonest|top)
range = {from:n} [(to|-|–|through|until|and) [line] {to:n}]
whole: Show {file}
  <show> [whole|entire|full] [contents? of|text of|text in|file] {files:file+}
  (what is in|what does|what is written in|what is inside) [file] {files:file+} [contain|say|hold]
ends: Show the first 10 lines of {file}
  [<show>|what (is|are)] <end> <some> <where>
  end:(head|tail) [-n] [{n}] [lines] [of] {files:file}
  <show> [{n}] (isOne:(line)|lines) (of|in|from) {files:file} from end:(top|bottom|end)
  (<show>|put|copy|write|save|store) <end> <some> (of|in|from) [file] {files:file} <to>
range: Show lines 2 to 5 of {file}
  [<show>|what is] {from:nth} line <where>
  (<show>|what (is|are|does)) lines? [number] <range> <where> [say|contain]
  <show> {files:file} [from] lines? <range>
longest: Show the longest line of {file}
  (<ask>|which is) [{n}] rank:(longest|shortest) [{n}] unit:(lines?|words?) <where>
sorted: Show the lines of {file} sorted
  <show> lines <where> [sorted] (alphabetically|in alphabetical order|sorted) <way>
  <show> sorted lines <where> <way>
sortingFile: Show the lines of {file} sorted
  (sort|order) [lines (of|in|from)] [file] {file} [alphabetically|in alphabetical order|[in] (descending|reverse|ascending) [order]]
distinct: Show the unique lines of {file}
  (<show>|what are) [all] which:(unique|distinct|different|duplicate|duplicated|repeated) lines <where>
  which:(which) lines (occur|appear) (more than once|twice) <where>
commonWords: Show the 10 most common words in {file}
  <ask> [{n}] <most> [{n}] words <where>
  (which|what) [{n}] words (are|occur|appear) [used] most [common|frequently|frequent|often] <where>
`,
  {
    ...{ whole, sortingFile, commonWords },
    ...{ ends: picking(ends), range: picking(range), longest: picking(longest) },
    ...{ sorted: picking(sorted), distinct: picking(distinct) },
  },
);

/** Longest text of a file that is shown: all results have to fit one line of the protocol. */
const MAX_SHOWN_BYTES = 400_000;

async function whole(step: Step): Promise<Outcome> {
  const paths = step.texts('files');
  const parts: string[] = [];
  let data: Outcome['data'] = { files: paths };
  const maxBytes = Math.ceil(MAX_SHOWN_BYTES / paths.length);
  for (const path of paths) {
    const { content, bytes, truncated } = await readLines(step, path, { from: 1, maxBytes });
    const lines = content.split('\n').length - 1;
    const cut = truncated ? `; only the first ${lines} lines are shown` : '';
    parts.push(`${path} (${bytes} bytes${cut}):\n\n${fenced(content)}`);
    if (paths.length === 1 && !truncated) data = { path, content };
  }
  return { text: parts.join('\n\n'), data };
}

/** Shows what is picked from one text, or writes it to another file. */
function picking(pick: Pick): Act {
  return async (step) => {
    const { name, path, lines } = await linesFor(step);
    const { title, found } = pick(step, lines, name);
    const content = found.map((line) => `${line}\n`).join('');
    const target = step.text('target');
    if (target !== '') {
      const reason = `Wrote ${found.length} lines of ${name} to ${target}`;
      return writeFor(step, { path: target, content, reason });
    }
    if (content.length > MAX_SHOWN_BYTES)
      fail('INPUT_TOO_LARGE', `${title} are ${content.length} characters; ask for fewer.`);
    const given = found.length === 0 ? ' (there are none).' : ` (${found.length} given):\n\n`;
    const text = `${title}${given}${found.length === 0 ? '' : fenced(content)}`;
    return { text, data: { ...(path === undefined ? {} : { path }), lines: found, content } };
  };
}

/** The lines of the one text of a form, from a stated one on. Of a file, the lines behind a stated one are not read. */
async function linesFor(step: Step) {
  const [path = '*', ...others] = step.texts('files');
  const from = step.number('from') ?? 1;
  const to = step.number('to') ?? step.number('from') ?? (isFromStart(step) ? countOf(step) : 0);
  const most = to - from + 1;
  if (others.length === 0 && !path.includes('*') && from > 0 && most > 0 && to > 0) {
    const { content, next_line: next } = await readLines(step, path, { from, most });
    const lines = linesOf(content);
    if (lines.length === most || next === undefined) return { name: path, path, lines };
  }
  const [source, ...more] = await sourcesOf(step);
  if (source === undefined || more.length > 0)
    return fail('AMBIGUOUS', `There are ${more.length + 1} files: name one.`);
  return { ...source, lines: linesOf(source.content).slice(Math.max(0, from - 1)) };
}

const isFromStart = (step: Step) => /^(?:first|top|head|opening)$/.test(step.word('end'));

const countOf = (step: Step) => step.number('n') ?? (step.has('isOne') ? 1 : 10);

function ends(step: Step, lines: readonly string[], name: string) {
  const count = countOf(step);
  if (count === 0) fail('INPUT_INVALID', '0 lines are none: ask for at least 1.');
  const [end, found] = isFromStart(step)
    ? ['first', lines.slice(0, count)]
    : ['last', lines.slice(-count)];
  return { title: `The ${end} ${count === 1 ? 'line' : `${count} lines`} of ${name}`, found };
}

function range(step: Step, lines: readonly string[], name: string) {
  const from = step.number('from') ?? 1;
  const to = step.number('to') ?? from;
  if (from < 1 || to < from)
    fail('INPUT_INVALID', `There are no lines ${from} to ${to}: lines count from 1 upwards.`);
  const which = from === to ? `Line ${from}` : `Lines ${from} to ${to}`;
  return { title: `${which} of ${name}`, found: lines.slice(0, to - from + 1) };
}

function longest(step: Step, lines: readonly string[], name: string) {
  const unit = step.word('unit').replace(/s$/, '');
  const sign = step.word('rank') === 'shortest' ? 1 : -1;
  const words = lines.join('\n').match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu) ?? [];
  const all = unit === 'word' ? [...new Set(words)] : lines.filter((line) => line.trim() !== '');
  const lengthOf = (text = '') => [...text].length;
  const found = all
    .toSorted((a, b) => sign * (lengthOf(a) - lengthOf(b)))
    .slice(0, step.number('n') ?? 1);
  const length = found.length === 1 ? `, ${lengthOf(found[0])} characters` : '';
  const which = `${step.word('rank')} ${unit}${found.length === 1 ? '' : 's'}`;
  return { title: `The ${which} of ${name}${length}`, found };
}

function sorted(step: Step, lines: readonly string[], name: string) {
  const sign = /desc|reverse/.test(step.word('way')) ? -1 : 1;
  const found = lines.toSorted((a, b) => (a < b ? -sign : a > b ? sign : 0));
  return { title: `The lines of ${name}, sorted`, found };
}

/** Asks which of the two readings is meant. */
function sortingFile(step: Step): never {
  const shown = `Show the lines of ${step.text('file')} sorted`;
  const both = `Say "${shown}", or "${shown} and save them as sorted.txt"`;
  fail('AMBIGUOUS', `Sorting may mean to show the lines in order, or to save them so. ${both}.`);
}

function distinct(step: Step, lines: readonly string[], name: string) {
  const isRepeated = /^(?:dup|rep|which)/.test(step.word('which'));
  const found = [...timesOf(lines)].filter(([, times]) => !isRepeated || times > 1);
  const which = isRepeated ? 'that occur more than once' : 'each once';
  return { title: `The lines of ${name} ${which}`, found: found.map(([line]) => line) };
}

async function commonWords(step: Step): Promise<Outcome> {
  const sources = await sourcesOf(step);
  const text = sources.map(({ content }) => content.toLowerCase()).join('\n');
  const rows = [...timesOf(text.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? [])]
    .toSorted(([a, times], [b, more]) => more - times || (a < b ? -1 : 1))
    .slice(0, step.number('n') ?? 10);
  const table = rows.map(([word, times]) => `| ${markdownCell(word)} | ${times} |\n`).join('');
  const title = `The ${rows.length} most common words of ${sources.map(({ name }) => name).join(', ')}`;
  return {
    text: `${title} (in any letter case):\n\n| word | times |\n| --- | ---: |\n${table.trim()}`,
    data: { columns: ['word', 'times'], rows },
  };
}

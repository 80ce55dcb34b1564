import type { HandlerContext, Outcome } from '../../context.ts';
import { fenced, markdownCell } from '../../language/escape.ts';
import { type Act, type Filled, form, need } from '../../phrases/form.ts';
import { ask, where } from '../../phrases/fragments.ts';
import { TaskError } from '../../task-error.ts';
import { readLines } from '../file-tool.ts';
import { writeFor } from '../write-checked.ts';
import { linesOf, sourcesOf } from './sources.ts';

const show =
  '(read|show|print|display|open|cat|view|give|get|output|list|extract|see) [me] [all] [of]';
const end = 'end:(first|last|top|bottom|opening|final)';
const some = '[{n}] (isOne:(line)|lines)';
const to = '[(to|into|as) [new] [file] [called|named] {target:file}]';
const way = '[way:([in] (descending|reverse|ascending) [order]|reversed)]';

/** Forms that show files or some lines or words of a text. */
export const readForms = [
  form(
    whole,
    'Show {file}',
    `${show} [whole|entire|full] [contents? of|text of|text in|file] {files:file+}`,
    '(what is in|what does|what is written in|what is inside) [file] {files:file+} [contain|say|hold]',
  ),
  form(
    picking(ends),
    'Show the first 10 lines of {file}',
    `(${show}|what (is|are)) ${end} (${some}|[{n}]) ${where}`,
    'end:(head|tail) [-n] [{n}] [lines] [of] {files:file}',
    `${show} ${some} (of|in|from) {files:file} from end:(top|bottom|end)`,
    `(${show}|put|copy|write|save|store) ${end} (${some}|[{n}]) (of|in|from) [file] {files:file} (to|into|in|as) [new] [file] [called|named] {target:file}`,
  ),
  form(
    picking(range),
    'Show lines 2 to 5 of {file}',
    `(${show}|what is) {from:n} line ${where} ${to}`,
    `(${show}|what (is|are|does)) lines? [number] {from:n} [(to|-|–|through|until|and) {to:n}] ${where} [say|contain] ${to}`,
    `${show} {files:file} [from] lines? {from:n} [(to|-|–|through|until) [line] {to:n}] ${to}`,
  ),
  form(
    picking(longest),
    'Show the longest line of {file}',
    `(${ask}|which is) [{n}] rank:(longest|shortest) [{n}] unit:(lines?|words?) ${where}`,
  ),
  form(
    picking(sorted),
    'Show the lines of {file} sorted',
    `${show} lines ${where} [sorted] (alphabetically|in alphabetical order|sorted) ${way}`,
    `${show} sorted lines ${where} ${way}`,
  ),
  form(
    sortingFile,
    'Show the lines of {file} sorted',
    '(sort|order) [lines (of|in|from)] [file] {file} [alphabetically|in alphabetical order|[in] (descending|reverse|ascending) [order]]',
  ),
  form(
    picking(distinct),
    'Show the unique lines of {file}',
    `(${show}|what are) [all] which:(unique|distinct|different|duplicate|duplicated|repeated) lines ${where}`,
    `which:(which) lines (occur|appear) (more than once|twice) ${where}`,
  ),
  form(
    commonWords,
    'Show the 10 most common words in {file}',
    `${ask} [{n}] (most (common|frequent|used|often used)|commonest|top) [{n}] words ${where}`,
    `(which|what) [{n}] words (are|occur|appear) [used] most [common|frequently|frequent|often] ${where}`,
  ),
];

/** Longest text of a file that is shown: all results have to fit one line of the protocol. */
const MAX_SHOWN_BYTES = 400_000;

async function whole(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const paths = filled.texts('files');
  const parts: string[] = [];
  let data: Outcome['data'] = { files: paths };
  const maxBytes = Math.ceil(MAX_SHOWN_BYTES / paths.length);
  for (const path of paths) {
    const { content, bytes, truncated } = await readLines(context, path, { from: 1, maxBytes });
    const lines = content.split('\n').length - 1;
    const cut = truncated ? `; only the first ${lines} lines are shown` : '';
    parts.push(`${path} (${bytes} bytes${cut}):\n\n${fenced(content)}`);
    if (paths.length === 1 && !truncated) data = { path, content };
  }
  return { text: parts.join('\n\n'), data };
}

/** Some lines or words of a text, with a title. */
type Pick = (
  filled: Filled,
  lines: readonly string[],
  name: string,
) => { readonly title: string; readonly found: readonly string[] };

/** Shows what is picked from one text, or writes it to another file. */
function picking(pick: Pick): Act {
  return async (filled, context) => {
    const { name, path, lines } = await linesFor(filled, context);
    const { title, found } = pick(filled, lines, name);
    const text = found.map((line) => `${line}\n`).join('');
    if (filled.has('target')) {
      const reason = `Wrote ${found.length} lines of ${name} to ${filled.text('target')}`;
      return writeFor(filled, context, { path: need(filled, 'target'), content: text, reason });
    }
    if (text.length > MAX_SHOWN_BYTES)
      throw new TaskError(
        'INPUT_TOO_LARGE',
        `${title} are ${text.length} characters; ask for fewer.`,
      );
    const given = found.length === 0 ? ' (there are none).' : ` (${found.length} given):\n\n`;
    return {
      text: `${title}${given}${found.length === 0 ? '' : fenced(text)}`,
      data: { ...(path === undefined ? {} : { path }), lines: found, content: text },
    };
  };
}

/** The lines of the one text of a form, from a stated one on. Of a file, the lines behind a stated one are not read. */
async function linesFor(filled: Filled, context: HandlerContext) {
  const [path, ...others] = filled.texts('files');
  const from = filled.number('from') ?? 1;
  const to = filled.number('to') ?? filled.number('from') ?? 0;
  const most = to > 0 ? to - from + 1 : isFromStart(filled) ? countOf(filled) : 0;
  if (path !== undefined && others.length === 0 && !path.includes('*') && from > 0 && most > 0) {
    const { content, next_line: next } = await readLines(context, path, { from, most });
    const lines = linesOf(content);
    if (lines.length === most || next === undefined) return { name: path, path, lines };
  }
  const [source, ...more] = await sourcesOf(filled, context);
  if (source === undefined || more.length > 0)
    throw new TaskError('AMBIGUOUS', `There are ${more.length + 1} files: name one.`);
  const { name, content } = source;
  return { name, path: source.path, lines: linesOf(content).slice(Math.max(0, from - 1)) };
}

const isFromStart = (filled: Filled) =>
  /^(?:first|top|head|opening)$/.test(filled.word('end') ?? '');

const countOf = (filled: Filled) => filled.number('n') ?? (filled.has('isOne') ? 1 : 10);

function ends(filled: Filled, lines: readonly string[], name: string) {
  const count = countOf(filled);
  if (count === 0) throw new TaskError('INPUT_INVALID', '0 lines are none: ask for at least 1.');
  const end = isFromStart(filled) ? 'first' : 'last';
  const found = end === 'first' ? lines.slice(0, count) : lines.slice(-count);
  return { title: `The ${end} ${count === 1 ? 'line' : `${count} lines`} of ${name}`, found };
}

function range(filled: Filled, lines: readonly string[], name: string) {
  const from = filled.number('from') ?? 1;
  const to = filled.number('to') ?? from;
  if (from < 1 || to < from)
    throw new TaskError(
      'INPUT_INVALID',
      `There are no lines ${from} to ${to}: lines count from 1 upwards.`,
    );
  const which = from === to ? `Line ${from}` : `Lines ${from} to ${to}`;
  return { title: `${which} of ${name}`, found: lines.slice(0, to - from + 1) };
}

function longest(filled: Filled, lines: readonly string[], name: string) {
  const isWord = filled.word('unit')?.startsWith('word') === true;
  const sign = filled.word('rank') === 'shortest' ? 1 : -1;
  const words = lines.join('\n').match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu) ?? [];
  const all = isWord ? [...new Set(words)] : lines.filter((line) => line.trim() !== '');
  const lengthOf = (text = '') => [...text].length;
  const found = all
    .toSorted((a, b) => sign * (lengthOf(a) - lengthOf(b)))
    .slice(0, filled.number('n') ?? 1);
  const unit = `${isWord ? 'word' : 'line'}${found.length === 1 ? '' : 's'}`;
  const length = found.length === 1 ? `, ${lengthOf(found[0])} characters` : '';
  return { title: `The ${filled.word('rank')} ${unit} of ${name}${length}`, found };
}

function sorted(filled: Filled, lines: readonly string[], name: string) {
  const found = lines.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (/descending|reverse/.test(filled.word('way') ?? '')) found.reverse();
  return { title: `The lines of ${name}, sorted`, found };
}

/** Asks which of the two readings is meant. */
function sortingFile(filled: Filled): never {
  const path = need(filled, 'file');
  const shown = `Show the lines of ${path} sorted`;
  throw new TaskError(
    'AMBIGUOUS',
    `Sorting ${path} may mean to show its lines in order, or to save them so. Say "${shown}", or "${shown} and save them as sorted.txt".`,
  );
}

function distinct(filled: Filled, lines: readonly string[], name: string) {
  const isRepeated = /^(?:dup|rep|which)/.test(filled.word('which') ?? '');
  const found = [...timesOf(lines)].filter(([, times]) => !isRepeated || times > 1);
  const which = isRepeated ? 'that occur more than once' : 'each once';
  return { title: `The lines of ${name} ${which}`, found: found.map(([line]) => line) };
}

/** How often each text occurs. */
function timesOf(texts: Iterable<string>): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}

async function commonWords(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const sources = await sourcesOf(filled, context);
  const text = sources.map(({ content }) => content.toLowerCase()).join('\n');
  const rows = [...timesOf(text.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? [])]
    .toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, filled.number('n') ?? 10);
  const table = rows.map(([word, count]) => `| ${markdownCell(word)} | ${count} |`);
  const name = sources.map((source) => source.name).join(', ');
  return {
    text: `The ${rows.length} most common words of ${name} (in any letter case):\n\n| word | times |\n| --- | ---: |\n${table.join('\n')}`,
    data: { columns: ['word', 'times'], rows },
  };
}

import type { Outcome } from '../../context.ts';
import { fenced, markdownCell } from '../../language/escape.ts';
import { formsOf, type Step } from '../../phrases/form.ts';
import { fail } from '../../task-error.ts';
import { readLines } from '../file-tool.ts';
import { block, MAX_SHOWN_BYTES } from './show-lines.ts';
import { linesOf, sourcesOf, timesOf } from './sources.ts';

/** Forms that show files, or the words or sorted lines of a text. */
export const readForms = formsOf(
  `
show = (read|show|print|display|open|cat|view|give|get|output|list|extract|see) [me] [all] [of]
way = [way:([in] (descending|reverse|ascending) [order]|reversed)]
most = (most (common|frequent|used|often used)|commonest|top)
whole: Show {file}
  <show> [whole|entire|full] [contents? of|text of|text in|file] {files:file+}
  (what is in|what does|what is written in|what is inside) [file] {files:file+} [contain|say|hold]
longestWords: Show the longest word of {file}
  (<ask>|which is) [{n}] rank:(longest|shortest) [{n}] words? <where>
sorted: Show the lines of {file} sorted
  <show> (lines <where> [sorted] (alphabetically|in alphabetical order|sorted)|sorted lines <where>) <way>
sortingFile: Show the lines of {file} sorted
  (sort|order) [lines (of|in|from)] [file] {file} [alphabetically|in alphabetical order|[in] (descending|reverse|ascending) [order]]
commonWords: Show the 10 most common words in {file}
  <ask> [{n}] <most> [{n}] words <where>
  (which|what) [{n}] words (are|occur|appear) [used] most [common|frequently|frequent|often] <where>
`,
  { whole, sortingFile, sorted, longestWords, commonWords },
);

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

/** Shows the longest or shortest words of a text. */
async function longestWords(step: Step): Promise<Outcome> {
  const sources = await sourcesOf(step);
  const text = sources.map(({ content }) => content).join('\n');
  const sign = step.word('rank') === 'shortest' ? 1 : -1;
  const words = [...new Set(text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu))];
  const found = words
    .toSorted((a, b) => sign * ([...a].length - [...b].length))
    .slice(0, step.number('n') ?? 1);
  const length = found.length === 1 ? `, ${[...(found[0] ?? '')].length} characters` : '';
  const place = sources.map(({ name }) => name).join(', ');
  const which = `${step.word('rank')} word${found.length === 1 ? '' : 's'}`;
  return block(`The ${which} of ${place}${length}`, found);
}

async function sorted(step: Step): Promise<Outcome> {
  const sign = /desc|reverse/.test(step.word('way')) ? -1 : 1;
  const [source, ...more] = await sourcesOf(step);
  if (source === undefined || more.length > 0)
    return fail('AMBIGUOUS', `There are ${more.length + 1} files. Name one.`);
  const lines = linesOf(source.content).toSorted((a, b) => (a < b ? -sign : a > b ? sign : 0));
  return block(`The lines of ${source.name}, sorted`, lines, source.path);
}

/** Refuses, because the task has two readings. */
function sortingFile(step: Step): never {
  const shown = `Show the lines of ${step.text('file')} sorted`;
  const both = `Say "${shown}", or "${shown} and save them as sorted.txt"`;
  fail('AMBIGUOUS', `Sorting may mean to show the sorted lines or to save them. ${both}.`);
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

import type { Outcome } from '../../context.ts';
import { fenced, markdownCell } from '../../language/escape.ts';
import { formsOf, type Step } from '../../phrases/form.ts';
import { many, readLines } from '../file-tool.ts';
import { block, MAX_SHOWN_BYTES } from './show-lines.ts';
import { sourcesOf, timesOf } from './sources.ts';

/** Forms that show files, or the words or sorted lines of a text. */
export const readForms = formsOf(
  `
show = (read|show|print|display|open|cat|view|give|get|output|list|extract|see) [me] [all] [of]
most = (most (common|frequent|used|often used)|commonest|top)
whole: Show {file}
  <show> [whole|entire|full] [contents? of|text of|text in|file] {files:file+}
  (what is in|what does|what is written in|what is inside) [file] {files:file+} [contain|say|hold]
longestWords: Show the longest word of {file}
  (<ask>|which is) [{n}] rank:(longest|shortest) [{n}] words? <where>
commonWords: Show the 10 most common words in {file}
  <ask> [{n}] <most> [{n}] words <where>
  (which|what) [{n}] words (are|occur|appear) [used] most [common|frequently|frequent|often] <where>
`,
  { whole, longestWords, commonWords },
);

async function whole(step: Step): Promise<Outcome> {
  const paths = step.texts('files');
  const parts: string[] = [];
  let data: Outcome['data'] = { files: paths };
  const maxBytes = Math.ceil(MAX_SHOWN_BYTES / paths.length);
  for (const path of paths) {
    const { content, bytes, truncated } = await readLines(step, path, { from: 1, maxBytes });
    const lines = content.split('\n').length - 1;
    const shown = lines > 0 ? many(lines, 'line') : many(content.length, 'character');
    const cut = truncated ? `; only the first ${shown} are shown` : '';
    parts.push(`${path} (${many(bytes, 'byte')}${cut}):\n\n${fenced(content)}`);
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

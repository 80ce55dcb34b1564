import type { HandlerContext, Outcome } from '../../context.ts';
import { markdownCell } from '../../language/escape.ts';
import { type Filled, form, need } from '../../phrases/form.ts';
import { ask, show } from '../../phrases/fragments.ts';
import { TaskError } from '../../task-error.ts';
import { readWhole } from '../file-tool.ts';
import { linesOutcome } from './read-files.ts';

const rank = 'rank:(longest|shortest)';

/** Forms that compare the words or lines of one file. */
export const figureForms = [
  form(
    commonWords,
    'Show the 10 most common words in {file}',
    `${ask} [{n}] (most (common|frequent|used|often used)|commonest|top) [{n}] words (in|of|from) {file}`,
    `(which|what) [{n}] words (are|occur|appear) [used] most [common|frequently|frequent|often] in {file}`,
  ),
  form(
    rankedLine,
    'Show the longest line of {file}',
    `(${ask}|what is|which is) [{n}] ${rank} unit:(lines?|words?) (in|of|from) {file}`,
  ),
  form(
    sortedLines,
    'Show the lines of {file} sorted',
    `${show} lines (of|in|from) {file} [sorted] (alphabetically|in alphabetical order|sorted) [way:([in] (descending|reverse|ascending) [order]|reversed)]`,
    `${show} sorted lines (of|in|from) {file} [way:([in] (descending|reverse|ascending) [order]|reversed)]`,
  ),
  form(
    sortingFile,
    'Show the lines of {file} sorted',
    '(sort|order) [lines (of|in|from)] [file] {file} [alphabetically|in alphabetical order|[in] (descending|reverse|ascending) [order]]',
  ),
  form(
    distinctLines,
    'Show the unique lines of {file}',
    `(${show}|what are) [all] which:(unique|distinct|different|duplicate|duplicated|repeated) lines (of|in|from) {file}`,
    `which:(which) lines (occur|appear) (more than once|twice) in {file}`,
  ),
];

const linesOf = async (context: HandlerContext, path: string): Promise<readonly string[]> => {
  const { content } = await readWhole(context, path);
  return content.replace(/\n$/, '').split(/\r?\n/);
};

async function commonWords(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'file');
  const { content } = await readWhole(context, path);
  const counts = new Map<string, number>();
  for (const [word] of content.toLowerCase().matchAll(/\p{L}[\p{L}\p{M}'’-]*/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  const rows = [...counts]
    .toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, filled.number('n') ?? 10);
  const table = rows.map(([word, count]) => `| ${markdownCell(word)} | ${count} |`);
  return {
    text: `The ${rows.length} most common words of ${path} (in any letter case):\n\n| word | times |\n| --- | ---: |\n${table.join('\n')}`,
    data: { columns: ['word', 'times'], rows },
  };
}

async function rankedLine(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'file');
  const isWord = filled.word('unit')?.startsWith('word') === true;
  const sign = filled.word('rank') === 'shortest' ? 1 : -1;
  const lines = await linesOf(context, path);
  const all = isWord
    ? [...new Set(lines.join('\n').match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu) ?? [])]
    : lines.filter((line) => line.trim() !== '');
  const found = all
    .toSorted((a, b) => sign * ([...a].length - [...b].length))
    .slice(0, filled.number('n') ?? 1);
  const unit = isWord ? 'word' : 'line';
  const first = found[0] ?? '';
  const title = `The ${filled.word('rank')} ${unit}${found.length === 1 ? '' : 's'} of ${path}`;
  const length = found.length === 1 ? `, ${[...first].length} characters` : '';
  return linesOutcome(`${title}${length}`, found.join('\n'), path);
}

async function sortedLines(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'file');
  const lines = (await linesOf(context, path)).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const isDown = /descending|reverse/.test(filled.word('way') ?? '');
  return linesOutcome(
    `The lines of ${path}, sorted`,
    (isDown ? lines.toReversed() : lines).join('\n'),
    path,
  );
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

async function distinctLines(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'file');
  const counts = new Map<string, number>();
  for (const line of await linesOf(context, path)) counts.set(line, (counts.get(line) ?? 0) + 1);
  const isRepeated = /^(?:dup|rep|which)/.test(filled.word('which') ?? '');
  const found = [...counts].filter(([, count]) => !isRepeated || count > 1).map(([line]) => line);
  const which = isRepeated ? 'that occur more than once' : 'each once';
  return linesOutcome(`The lines of ${path} ${which}`, found.join('\n'), path);
}

import type { HandlerContext, Outcome } from '../../context.ts';
import { fenced } from '../../language/escape.ts';
import { type Filled, form, need } from '../../phrases/form.ts';
import { TaskError } from '../../task-error.ts';
import { readLines, readWhole } from '../file-tool.ts';
import { keepBans } from '../keep-bans.ts';
import { onlyText } from '../results/results.ts';
import { writeChecked } from '../write-checked.ts';

const show =
  '(read|show|print|display|open|cat|view|give|get|output|list|extract|see) [me] [all] [of]';
const from = '(of|in|from)';
const end = 'end:(first|last|top|bottom|opening|final)';

/** Forms that show a file or some of its lines. */
export const readForms = [
  form(
    whole,
    'Show {file}',
    `${show} [whole|entire|full] [contents? of|text of|text in|file] {files:file+}`,
    '(what is in|what does|what is written in|what is inside) [file] {files:file+} [contain|say|hold]',
  ),
  form(
    part,
    'Show the first 10 lines of {file}',
    `(${show}|what (is|are)) ${end} [{n}] [isOne:(line)|lines] ${from} [file] {file}`,
    'end:(head|tail) [-n] [{n}] [lines] [of] {file}',
    `${show} [{n}] (isOne:(line)|lines) ${from} {file} from end:(top|bottom|end)`,
  ),
  form(
    copyingPart,
    'Write the first 10 lines of {file} to part.txt',
    `(put|copy|write|save|store|extract) ${end} [{n}] [isOne:(line)|lines] ${from} [file] {file} (to|into|in|as) [new] [file] [called|named] {target:file}`,
  ),
  form(
    range,
    'Show lines 2 to 5 of {file}',
    `(${show}|what is) {from:n} line ${from} {file}`,
    `(${show}|what (is|are|does)) lines? [number] {from:n} [(to|-|–|through|until|and) {to:n}] ${from} {file} [say|contain]`,
    `${show} {file} [from] lines? {from:n} [(to|-|–|through|until) [line] {to:n}]`,
  ),
  form(
    partOfResult,
    'Show the first 3 lines of it',
    `${show} ${end} [{n}] [isOne:(line)|lines] ${from} (it|them|output|results?|page|text)`,
  ),
];

/** Longest text of a file that is shown: all results have to fit one line of the protocol. */
const MAX_SHOWN_BYTES = 400_000;

async function whole(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const paths = filled.texts('files');
  const parts: string[] = [];
  let only: Record<string, unknown> = { files: paths };
  for (const path of paths) {
    const { content, bytes, isCut } = await readShown(context, path, paths.length);
    const cut = isCut ? `; only the first ${content.split('\n').length - 1} lines are shown` : '';
    parts.push(`${path} (${bytes} bytes${cut}):\n\n${fenced(content)}`);
    if (paths.length === 1 && !isCut) only = { path, content };
  }
  return { text: parts.join('\n\n'), data: only };
}

async function readShown(context: HandlerContext, path: string, among: number) {
  const args = { operation: 'read', path, max_bytes: Math.ceil(MAX_SHOWN_BYTES / among) };
  const { content, bytes, truncated } = (await context.call('file_io', args, `Read ${path}`)) as {
    content: string;
    bytes: number;
    truncated: boolean;
  };
  return { content, bytes, isCut: truncated };
}

const isFromStart = (filled: Filled) =>
  /^(?:first|top|head|opening)$/.test(filled.word('end') ?? '');

const countOf = (filled: Filled) =>
  filled.number('n') ?? (filled.word('isOne') === 'line' ? 1 : 10);

async function copyingPart(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const [path, target] = [need(filled, 'file'), need(filled, 'target')];
  await keepBans(context, filled.instruction, target);
  const count = countOf(filled);
  const { content } = await readWhole(context, path);
  const lines = content.replace(/\n$/, '').split('\n');
  const kept = isFromStart(filled) ? lines.slice(0, count) : lines.slice(-count);
  const bytes = await writeChecked(context, {
    path: target,
    content: `${kept.join('\n')}\n`,
    reason: `Write ${kept.length} lines of ${path} to ${target}`,
  });
  return {
    text: `Wrote ${kept.length} lines of ${path} to ${target} (${bytes} bytes, read back and compared).`,
    data: { written: [{ path: target, bytes }] },
  };
}

async function part(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'file');
  const count = countOf(filled);
  if (count === 0) throw new TaskError('INPUT_INVALID', '0 lines are none: ask for at least 1.');
  if (isFromStart(filled)) {
    const { content } = await readLines(context, path, { fromLine: 1, maxLines: count });
    return linesOutcome(title('first', count, path), content, path);
  }
  const { content } = await readWhole(context, path);
  return linesOutcome(title('last', count, path), linesOf(content).slice(-count).join('\n'), path);
}

const title = (end: string, count: number, path: string) =>
  count === 1 ? `The ${end} line of ${path}` : `The ${end} ${count} lines of ${path}`;

function linesOf(content: string): readonly string[] {
  const lines = content.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

async function range(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'file');
  const from = filled.number('from') ?? 1;
  const to = filled.number('to') ?? from;
  if (from < 1 || to < from)
    throw new TaskError(
      'INPUT_INVALID',
      `There are no lines ${from} to ${to}: lines count from 1 upwards.`,
    );
  const { content } = await readLines(context, path, { fromLine: from, maxLines: to - from + 1 });
  const which = from === to ? `Line ${from}` : `Lines ${from} to ${to}`;
  return linesOutcome(`${which} of ${path}`, content, path);
}

function partOfResult(filled: Filled, context: HandlerContext): Outcome {
  const { name, text } = onlyText(context.results);
  const count = countOf(filled);
  const isStart = isFromStart(filled);
  const lines = isStart ? linesOf(text).slice(0, count) : linesOf(text).slice(-count);
  return linesOutcome(title(isStart ? 'first' : 'last', count, name), lines.join('\n'));
}

export function linesOutcome(title: string, content: string, path?: string): Outcome {
  if (content.length > MAX_SHOWN_BYTES)
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `${title} are ${content.length} characters; ask for fewer.`,
    );
  const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n');
  const given =
    lines.length === 0 ? ' (there are none).' : ` (${lines.length} given):\n\n${fenced(content)}`;
  return {
    text: `${title}${given}`,
    data: { ...(path === undefined ? {} : { path }), lines, content },
  };
}

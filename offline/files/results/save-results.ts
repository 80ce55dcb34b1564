import type { HandlerContext, Outcome } from '../../context.ts';
import { type Filled, form } from '../../phrases/form.ts';
import { TaskError } from '../../task-error.ts';
import { keepBans } from '../keep-bans.ts';
import { writeChecked } from '../write-checked.ts';
import { namedResults } from './named-results.ts';
import { formatFor, type Rendering, renderResults } from './render-results.ts';
import { type Found, foundBefore, rawText } from './results.ts';

const verb =
  '(save|write|store|export|output|put|dump|record|create|make|generate|produce|prepare|build|print)';
const target =
  '(to|into|in|as|under|called|named|at) [new|text|json|csv|markdown] [file] [called|named]';
const titled = '([with|and] (title|heading)|titled|entitled)';

/** Forms that save what earlier steps found. */
export const saveForms = [
  form(
    save,
    'Save the results as results.md',
    `${verb} {object:words} ${target} {files:file+} [{rest:words}]`,
    `${verb} {object:words} ${target} {files:file+} ${titled} {title:quote}`,
    `${verb} {object:words} ${titled} {title:quote} ${target} {files:file+}`,
    `${verb} [to|into|as] [file] {files:file+} [{rest:words}]`,
  ),
];

async function save(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const [object, rest] = [filled.text('object') ?? '', filled.text('rest') ?? ''];
  const all = foundBefore(context.results);
  const found = namedResults(filled.instruction.task, { object, rest }, all);
  if (found.length === 0)
    throw new TaskError(
      'NOTHING_TO_SAVE',
      'No earlier step found anything that could be saved. Say in the same task what is to be found.',
    );
  if (/\bboth\b/i.test(object) && found.length !== 2)
    throw new TaskError(
      'AMBIGUOUS',
      `The task speaks of both results, and there are ${found.length}.`,
    );
  const rendering = renderingOf(filled, `${object} ${rest}`, found);
  const paths = filled.texts('files');
  const planned = paths.map((path) => ({ path, content: renderResults(found, rendering(path)) }));
  for (const { path } of planned) await keepBans(context, filled.instruction, path);
  return writeAll(context, planned, found);
}

async function writeAll(
  context: HandlerContext,
  planned: readonly { readonly path: string; readonly content: string }[],
  found: readonly Found[],
): Promise<Outcome> {
  const what = found.length === 1 ? 'the result' : 'the results';
  const written: { path: string; bytes: number }[] = [];
  for (const { path, content } of planned) {
    const reason = `Save ${what} of earlier steps`;
    written.push({ path, bytes: await writeChecked(context, { path, content, reason }) });
  }
  const of = found
    .map(({ description }) => `"${(description.split('\n')[0] ?? '').trim()}"`)
    .join(', ');
  const lines = written.map(
    ({ path, bytes }) =>
      `Saved ${what} of ${of} as ${path} (${bytes} bytes, read back and compared).`,
  );
  return { text: lines.join('\n'), data: { written } };
}

const stated =
  /\b(?:as|in) (?<format>json|csv|tsv|markdown|md|plain text|text|txt)\b|\b(?<before>json|csv|markdown)\b/i;

function renderingOf(
  filled: Filled,
  words: string,
  found: readonly Found[],
): (path: string) => Rendering {
  const word = stated.exec(words)?.groups;
  const format = (word?.['format'] ?? word?.['before'])?.replace(/^plain /i, '');
  return (path) => ({
    format: formatFor(path, format),
    title: filled.text('title'),
    part: partOf(words, found),
  });
}

/** The results that the object names. Text of a file or command is saved unchanged, except in a report. */
function partOf(words: string, found: readonly Found[]): Rendering['part'] {
  if (/\btables?\b/i.test(words)) return 'table';
  if (/^\s*(?:(?:the|a|an) )?(?:number|count|total)\b/i.test(words)) return 'number';
  const [only] = found;
  const isRaw = found.length === 1 && only !== undefined && rawText(only) !== undefined;
  return isRaw && !/\b(?:report|answers?|summary)\b/i.test(words) ? 'raw' : 'all';
}

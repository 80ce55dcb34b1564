import type { HandlerContext, Outcome } from '../../context.ts';
import { type Filled, form } from '../../phrases/form.ts';
import { TaskError } from '../../task-error.ts';
import { keepBans, writeChecked } from '../write-checked.ts';
import { namedResults } from './named-results.ts';
import { formatFor, type Rendering, renderResults } from './render-results.ts';
import { type Found, foundBefore } from './results.ts';

const verb =
  '(save|write|store|export|output|put|dump|record|create|make|generate|produce|prepare|build|print)';
const target =
  '(to|into|in|as|under|called|named|at) [new|text|json|csv|markdown] [file] [called|named]';
const titled = '([with|and] (title|heading)|titled|entitled) {title:quote}';

/** Forms that save what earlier steps found. */
export const saveForms = [
  form(
    save,
    'Save the results as results.md',
    `${verb} {object:words} ${target} {files:file+} [{rest:words}]`,
    `${verb} {object:words} ${target} {files:file+} ${titled}`,
    `${verb} {object:words} ${titled} ${target} {files:file+}`,
    `${verb} [to|into|as] [file] {files:file+} [{rest:words}]`,
  ),
];

async function save(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const [object = '', rest = ''] = ['object', 'rest'].map(filled.text);
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
  const words = `${object} ${rest}`;
  const planned = filled.texts('files').map((path) => {
    const rendering = { title: filled.text('title'), part: partOf(words, found) };
    const format = formatFor(path, stated.exec(words)?.slice(1).find(Boolean));
    return { path, content: renderResults(found, { ...rendering, format }) };
  });
  for (const { path } of planned) await keepBans(filled, context, path);
  const what = found.length === 1 ? 'the result' : 'the results';
  const names = found.map(({ name }) => name).join(', ');
  const written: { path: string; bytes: number }[] = [];
  for (const { path, content } of planned) {
    const reason = `Save ${what} of earlier steps`;
    written.push({ path, bytes: await writeChecked(context, { path, content, reason }) });
  }
  const lines = written.map(
    ({ path, bytes }) =>
      `Saved ${what} of ${names} as ${path} (${bytes} bytes, read back and compared).`,
  );
  return { text: lines.join('\n'), data: { written } };
}

const stated =
  /\b(?:as|in) (?:plain )?(json|csv|tsv|markdown|md|text|txt)\b|\b(json|csv|markdown)\b/i;

/** The part that the object names. Text of a file or command is saved unchanged, except in a report. */
function partOf(words: string, found: readonly Found[]): Rendering['part'] {
  if (/\btables?\b/i.test(words)) return 'table';
  if (/^\s*(?:(?:the|a|an) )?(?:number|count|total)\b/i.test(words)) return 'number';
  return found.length === 1 && !/\b(?:report|answers?|summary)\b/i.test(words) ? 'raw' : 'all';
}

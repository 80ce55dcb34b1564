import { TaskError } from '../../../offline/task-error.ts';
import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { type Filled, type Form, form } from '../instruction/form.ts';
import { keepBans } from './bans.ts';
import { type Act, type Outcome, writeChecked } from './file-tool.ts';
import { namedResults } from './named-results.ts';
import { formatFor, type Rendering, renderResults } from './render-results.ts';
import { type Found, foundBefore, rawText } from './results.ts';

const verb =
  '(?:save|write|store|export|output|put|dump|record|create|make|generate|produce|prepare|build|print)';
const target =
  '(?:(?:to|into|in|as|under|called|named|at)(?: (?:new |text |json |csv |markdown )*file)?(?: called| named)? )';
const titled = '(?:,? (?:with|and) (?:title|heading)|,? titled|,? entitled)';

/** Forms that save what earlier steps found. */
export const saveForms: readonly Form<Act>[] = [
  form(`${verb} (?<object>[^«]+?) ${target}<files:file+>(?<rest>[^«]*)`, save),
  form(`${verb} (?<object>[^«]+?) ${target}<files:file+>${titled} <title:quote>`, save),
  form(`${verb} (?<object>[^«]+?)${titled} <title:quote> ${target}<files:file+>`, save),
  form(`${verb}(?: to| into| as)? (?:file )?<files:file+>(?<rest>[^«]*)`, save),
];

function save(filled: Filled): Act {
  const object = filled.word('object') ?? '';
  const rest = filled.word('rest') ?? '';
  return async (context): Promise<Outcome> => {
    const all = foundBefore(context.results);
    const found = namedResults(filled.instruction, { object, rest }, all);
    if (found.length === 0) {
      throw new TaskError(
        'NOTHING_TO_SAVE',
        'No earlier step found anything that could be saved. Say in the same task what is to be found.',
      );
    }
    if (/\bboth\b/i.test(object) && found.length !== 2) {
      throw new TaskError(
        'AMBIGUOUS',
        `The task speaks of both results, and there are ${found.length}.`,
      );
    }
    const rendering = renderingOf(filled, `${object} ${rest}`, found);
    const paths = filled.atoms('files').map(({ value }) => value);
    const planned = paths.map((path) => ({ path, content: renderResults(found, rendering(path)) }));
    for (const { path } of planned) await keepBans(context, filled.instruction, path);
    return writeAll(context, planned, found);
  };
}

async function writeAll(
  context: HandlerContext,
  planned: readonly { path: string; content: string }[],
  found: readonly Found[],
): Promise<Outcome> {
  const written: { path: string; bytes: number }[] = [];
  for (const { path, content } of planned) {
    const reason = `Save ${found.length === 1 ? 'the result' : `${found.length} results`} of earlier steps`;
    written.push({ path, bytes: await writeChecked(context, { path, content, reason }) });
  }
  const of = found
    .map(({ description }) => `"${(description.split('\n')[0] ?? '').trim()}"`)
    .join(', ');
  const text = written
    .map(
      ({ path, bytes }) =>
        `Saved ${found.length === 1 ? 'the result' : 'the results'} of ${of} as ${path} (${bytes} bytes, read back and compared).`,
    )
    .join('\n');
  return { text, data: { written } };
}

function renderingOf(
  filled: Filled,
  words: string,
  found: readonly Found[],
): (path: string) => Rendering {
  const word =
    /\b(?:as|in) (?<format>json|csv|tsv|markdown|md|plain text|text|txt)\b|\b(?<before>json|csv|markdown)\b/i.exec(
      words,
    )?.groups;
  const format = (word?.['format'] ?? word?.['before'])?.replace(/^plain /i, '');
  return (path) => ({
    format: formatFor(path, format),
    title: filled.atom('title')?.value,
    part: partOf(words, found),
  });
}

/** What the object names. A file's or command's own text is saved raw, unless a report is asked for. */
function partOf(words: string, found: readonly Found[]): Rendering['part'] {
  if (/\btables?\b/i.test(words)) return 'table';
  if (/^\s*(?:number|count|total)\b/i.test(words)) return 'number';
  const [only] = found;
  const isRaw = found.length === 1 && only !== undefined && rawText(only) !== undefined;
  return isRaw && !/\b(?:report|answers?|summary)\b/i.test(words) ? 'raw' : 'all';
}

import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { type Filled, type Form, form } from '../instruction/form.ts';
import { plainWords } from '../instruction/instruction.ts';
import { notUnderstood } from '../instruction/not-understood.ts';
import { TaskError } from '../task-error.ts';
import { keepBans } from './bans.ts';
import { type Act, type Outcome, writeChecked } from './file-tool.ts';
import { formatFor, type Rendering, renderResults } from './render-results.ts';
import { type Found, foundBefore, numberOf, rawText, tableOf } from './results.ts';

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
  form(`${verb}(?: to| into)? (?:file )?<files:file+>(?<rest>[^«]*)`, save),
];

/** Words for what was found; a phrase that an earlier step used is as good. */
const referring =
  /^(?:it|them|this|that|these|those|everything|all|both|of|and|as|in|with|for|from|full|complete|whole|entire|combined|final|result|results|answer|answers|output|outputs|finding|findings|report|reports|summary|summaries|table|tables|list|number|count|total|text|content|contents|page|response|data|lines|matches|earlier|previous|above|steps?|markdown|md|json|csv|tsv|txt|plain|format|file|so|found|what|was|were|section|each|one|per|down|up|out)$/i;

function save(filled: Filled): Act {
  const object = filled.word('object') ?? '';
  const rest = filled.word('rest') ?? '';
  return async (context): Promise<Outcome> => {
    const all = foundBefore(context.results);
    assertRefers(filled, `${object} ${rest}`, all);
    const found = namedBy(object, all);
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

const hasKey = (data: unknown, key: string) =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, key);

/** Nouns that mean one kind of result where several were found. */
const nouns: readonly (readonly [RegExp, (found: Found) => boolean])[] = [
  [/\btable\b/i, ({ data }) => tableOf(data) !== undefined],
  [/\boutput\b/i, ({ data }) => hasKey(data, 'stdout')],
  [/\bsummary\b/i, ({ data }) => hasKey(data, 'sentences')],
  [/\b(?:page|response)\b/i, ({ data }) => hasKey(data, 'url')],
  [/\blines\b/i, ({ data }) => hasKey(data, 'lines')],
  [/\b(?:number|count)\b/i, (one) => numberOf(one) !== undefined],
];

/** The results that a noun means: those of its kind, else all. */
function namedBy(object: string, all: readonly Found[]): readonly Found[] {
  for (const [noun, isMeant] of nouns) {
    if (!noun.test(object) || /\b(?:report|results|everything|all)\b/i.test(object)) continue;
    const meant = all.filter(isMeant);
    if (meant.length > 0) return meant;
  }
  return all;
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

/** @throws TaskError `NOT_UNDERSTOOD` where words say more than "what was found". */
function assertRefers({ instruction }: Filled, words: string, found: readonly Found[]): void {
  const descriptions = found.map(({ description }) => ` ${plainWords(description)} `);
  const phrases = words.split(/,|\b(?:and|of|with|for|from|as|in)\b|\b(?:json|csv|markdown)\b/i);
  const strange = phrases.flatMap((phrase) => {
    const parts = phrase.match(/[\p{L}\p{N}_'-]+/gu) ?? [];
    if (parts.every((part) => referring.test(part))) return [];
    const run = ` ${plainWords(parts.join(' '))} `;
    return descriptions.some((description) => description.includes(run))
      ? []
      : parts.filter((part) => !referring.test(part));
  });
  if (strange.length > 0 || /[:;{}[\]]/.test(words)) {
    throw notUnderstood(
      instruction.task,
      strange,
      'I save results of earlier steps as they are: as a report (.md, .txt), as data (.json) or as a table (.csv).',
    );
  }
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

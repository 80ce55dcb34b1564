import type { Outcome } from '../../context.ts';
import { numberWords } from '../../language/lexicon.ts';
import { isArticle } from '../../language/words.ts';
import { formsOf, type Step } from '../../phrases/form.ts';
import { unknownWords } from '../../phrases/perform-task.ts';
import { fail, TaskError } from '../../task-error.ts';
import { writeFiles } from '../write-checked.ts';
import {
  type Found,
  fieldsOf,
  formatFor,
  foundBefore,
  numberOf,
  type Rendering,
  renderResults,
  tableOf,
} from './render-results.ts';

/** Forms that save what earlier steps found. */
export const saveForms = formsOf(
  `
object = (save|write|store|export|output|put|dump|record|create|make|generate|produce|prepare|build|print) {object:words}
to = (to|into|in|as|under|called|named|at) [new|text|json|csv|markdown] [file] [called|named] {files:file+}
titled = ([with|and] (title|heading)|titled|entitled) {title:quote}
saving: Save the results as results.md
  <object> <to> [{rest:words}]
  <object> <to> <titled>
  (save|write|store|export|output|put|dump|record|create|make|generate|produce|prepare|build|print) [to|into|as] [file] {files:file+} [{rest:words}]
`,
  { saving },
);

const stated =
  /\b(?:as|in) (?:plain )?(json|csv|tsv|markdown|md|text|txt)\b|\b(json|csv|markdown)\b/i;

function saving(step: Step): Promise<Outcome> {
  const [object, rest] = [step.text('object'), step.text('rest')];
  const all = foundBefore(step.results, /\breport\b/i.test(object));
  const found = namedResults(step.task, { object, rest }, all);
  if (found.length === 0)
    fail('NOTHING_TO_SAVE', 'No step has a result to save. Say in the same task what to find.');
  if (/\bboth\b/i.test(object) && found.length !== 2)
    fail('AMBIGUOUS', `Both results are to be saved, but there are ${found.length}. Name them.`);
  const words = `${object} ${rest}`;
  const [, ...format] = stated.exec(words) ?? [];
  const what = found.length === 1 ? 'the result' : 'the results';
  const names = found.map(({ name }) => name).join(', ');
  const writings = step.texts('files').map((path) => {
    const rendering = { title: step.text('title'), part: partOf(words, found) };
    const as = formatFor(path, format.find(Boolean));
    const content = renderResults(found, { ...rendering, format: as });
    return { path, content, reason: `Saved ${what} of ${names} as ${path}` };
  });
  return writeFiles(step, ...writings);
}

/** The part of the results to save. Text of a file or command is saved unchanged, except in a report. */
function partOf(words: string, found: readonly Found[]): Rendering['part'] {
  if (/\btables?\b/i.test(words)) return 'table';
  if (/^\s*(?:(?:the|a|an) )?(?:number|count|total)\b/i.test(words)) return 'number';
  return found.length === 1 && !/\b(?:report|answers?|summary)\b/i.test(words) ? 'raw' : 'all';
}

/** Words that name any result or its format, and so select none. */
const referring =
  /^(?:it|them|this|that|these|those|everything|all|both|of|and|as|in|with|for|from|full|complete|whole|entire|combined|final|results?|answers?|outputs?|findings?|reports?|summary|summaries|tables?|list|numbers?|counts?|totals?|rows?|text|contents?|page|response|data|lines|matches|earlier|previous|above|steps?|markdown|md|json|csv|tsv|txt|plain|format|file|so|found|what|was|were|section|each|one|per|down|up|out)$/i;

/** Nouns that select results of one kind. */
const nouns: readonly (readonly [RegExp, (found: Found) => boolean])[] = [
  [/\btable\b/i, ({ data }) => tableOf(data) !== undefined],
  [/\boutput\b/i, (one) => 'stdout' in fieldsOf(one)],
  [/\bsummary\b/i, (one) => 'sentences' in fieldsOf(one)],
  [/\b(?:page|response)\b/i, (one) => 'url' in fieldsOf(one)],
  [/\blines\b/i, (one) => 'lines' in fieldsOf(one)],
  [/\b(?:number|count)\b/i, (one) => numberOf(one) !== undefined],
];

const finding =
  /^(?:find|list|show|get|search(?: for)?|extract|select|identify|fetch|read|give|display)(?: me)?(?: all)? /;
const qualifying =
  / (?:in|of|from|by|per|with|where|that|which|whose|and|or|for|on|sorted|ordered|containing|matching)\b.*$/;

/** The object of a step: `10 slowest requests` for `find 10 slowest requests in a.log`. */
function soughtBy({ name }: Found): string {
  const words = plainWords(name.replace(/^"(?:using|in|from|with|for)\b[^,]*,\s+/i, ''));
  return finding.test(words) ? words.replace(finding, '').replace(qualifying, '') : '';
}

/** The results to save: all, those of one kind (`the table`), or those that were asked for in the same words (`the slowest requests`). */
function namedResults(
  task: string,
  { object, rest }: { readonly object: string; readonly rest: string },
  all: readonly Found[],
): readonly Found[] {
  const phrases = `${object} , ${rest}`.split(joints).map((phrase) => ({
    others: (phrase.match(/[\p{L}\p{M}\p{N}_'-]+/gu) ?? []).filter(
      (word) => !referring.test(word) && !isArticle(word),
    ),
    sought: all.filter((one) => ` ${soughtBy(one)}`.endsWith(` ${plainWords(phrase)}`)),
  }));
  const special = phrases.filter(({ others }) => others.length > 0);
  const meant = new Set(special.flatMap(({ sought }) => sought));
  const strange = special.flatMap(({ others, sought }) => (sought.length === 0 ? others : []));
  if (strange.length > 0 || /[:;{}[\]]/.test(`${object}${rest}`)) {
    const error = unknownWords(task, strange, {
      can: 'I save results of earlier steps as they are: as a report (.md, .txt), as data (.json) or as a table (.csv).',
    });
    // Without earlier results, the words are a question for another capsule.
    throw all.length === 0 ? new TaskError('NOT_FOR_ME', error.message) : error;
  }
  if (meant.size > 0) return all.filter((one) => meant.has(one));
  if (/\b(?:report|results|everything|all)\b/i.test(object)) return all;
  const kinds = nouns.filter(([noun]) => noun.test(object)).map(([, is]) => all.filter(is));
  return kinds.find((some) => some.length > 0) ?? all;
}

const joints = /,|\b(?:and|of|with|for|from|as|in)\b|\b(?:json|csv|markdown)\b/i;

/** The words of a text in lower case, without articles and with numbers as digits. */
const plainWords = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [])
    .filter((word) => !isArticle(word))
    .map((word) => String(numberWords.get(word) ?? word))
    .join(' ');

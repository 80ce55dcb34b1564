import { numberWords } from '../../language/lexicon.ts';
import { articles } from '../../phrases/instruction.ts';
import { unknownWords } from '../../phrases/perform-task.ts';
import { type Found, fieldsOf, numberOf, tableOf } from './results.ts';

/** Words for any result, and for its form in a file. */
const referring =
  /^(?:it|them|this|that|these|those|everything|all|both|of|and|as|in|with|for|from|full|complete|whole|entire|combined|final|result|results|answer|answers|output|outputs|finding|findings|report|reports|summary|summaries|table|tables|list|number|count|total|text|content|contents|page|response|data|lines|matches|earlier|previous|above|steps?|markdown|md|json|csv|tsv|txt|plain|format|file|so|found|what|was|were|section|each|one|per|down|up|out)$/i;

const isReferring = (word: string) => referring.test(word) || articles.has(word.toLowerCase());

/** Nouns for one kind of result, if there are several. */
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

/** The object of a step: of `find 10 slowest requests in a.log`, `10 slowest requests`. */
function soughtBy({ name }: Found): string {
  const words = plainWords(name.replace(/^"(?:using|in|from|with|for)\b[^,]*,\s+/i, ''));
  return finding.test(words) ? words.replace(finding, '').replace(qualifying, '') : '';
}

/**
 * The results that the object of a save means: all of them, those of a kind (`the table`), or those that were asked for in
 * the same words (`the slowest requests`).
 *
 * @throws TaskError `NOT_UNDERSTOOD` if there are other words.
 */
export function namedResults(
  task: string,
  { object, rest }: { readonly object: string; readonly rest: string },
  all: readonly Found[],
): readonly Found[] {
  const meant = new Set<Found>();
  const strange = phrasesOf(`${object} , ${rest}`).flatMap((parts) => {
    if (parts.every(isReferring)) return [];
    const words = ` ${plainWords(parts.join(' '))}`;
    const sought = all.filter((one) => ` ${soughtBy(one)}`.endsWith(words));
    for (const one of sought) meant.add(one);
    return sought.length > 0 ? [] : parts.filter((part) => !isReferring(part));
  });
  if (strange.length > 0 || /[:;{}[\]]/.test(`${object}${rest}`))
    throw unknownWords(task, strange, {
      can: 'I save results of earlier steps as they are: as a report (.md, .txt), as data (.json) or as a table (.csv).',
    });
  return meant.size > 0 ? all.filter((one) => meant.has(one)) : ofKind(object, all);
}

const phrasesOf = (words: string): readonly (readonly string[])[] =>
  words
    .split(/,|\b(?:and|of|with|for|from|as|in)\b|\b(?:json|csv|markdown)\b/i)
    .map((phrase) => phrase.match(/[\p{L}\p{M}\p{N}_'-]+/gu) ?? []);

function ofKind(object: string, all: readonly Found[]): readonly Found[] {
  if (/\b(?:report|results|everything|all)\b/i.test(object)) return all;
  const kinds = nouns
    .filter(([noun]) => noun.test(object))
    .map(([, isMeant]) => all.filter(isMeant));
  return kinds.find((meant) => meant.length > 0) ?? all;
}

/** The words of a text in lower case, without articles, numbers as digits. */
const plainWords = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [])
    .filter((word) => !articles.has(word))
    .map((word) => String(numberWords.get(word) ?? word))
    .join(' ');

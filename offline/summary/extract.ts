import { type Sentence, sentencesOf } from './sentences.ts';

export interface ExtractLimits {
  /** Most sentences. Default: a tenth of them, at least 3, at most 7. */
  readonly sentences?: number | undefined;
  /** Most words. */
  readonly words?: number | undefined;
}

export interface Extract {
  /** In the order of the text. */
  readonly sentences: readonly string[];
  /** The number of sentences in the text. */
  readonly of: number;
}

const stopWords = new Set(
  'a about above after again all also am an and any are as at be because been before being below between both but by can could did do does doing down during each few for from further had has have having he her here hers him his how i if in into is it its itself just me more most my no nor not now of off on once only or other our out over own same she should so some such than that the their them then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your may must shall using use used one two'.split(
    ' ',
  ),
);

const termsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 2 && !stopWords.has(word))
    .map((word) => word.replace(/(?:ing|edly|ed|ies|es|s)$/, ''));

const wordCount = (text: string) => text.match(/\S+/g)?.length ?? 0;

/**
 * Picks the most important sentences of a text, by the frequency of their terms and by their position, without repetition.
 * The same text gives the same extract.
 */
export function extractSummary(text: string, limits: ExtractLimits = {}): Extract {
  const all = sentencesOf(text);
  const most = limits.sentences ?? Math.min(7, Math.max(3, Math.round(all.length / 10)));
  const picked = pick(all, most, limits.words ?? Number.POSITIVE_INFINITY);
  return {
    sentences: picked.sort((a, b) => a - b).map((at) => all[at]?.text ?? ''),
    of: all.length,
  };
}

function pick(all: readonly Sentence[], most: number, maxWords: number): number[] {
  const terms = all.map(({ text }) => new Set(termsOf(text)));
  const scores = scoresOf(all, terms);
  const order = [...all.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const picked: number[] = [];
  let words = 0;
  for (const at of order) {
    if (picked.length >= most) break;
    const size = wordCount(all[at]?.text ?? '');
    const repeats = picked.some((other) => likeness(terms[at], terms[other]) > 0.6);
    if (repeats || words + size > maxWords) continue;
    picked.push(at);
    words += size;
  }
  return picked;
}

function scoresOf(
  all: readonly Sentence[],
  terms: readonly ReadonlySet<string>[],
): readonly number[] {
  const frequency = new Map<string, number>();
  for (const set of terms)
    for (const term of set) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  return all.map(({ text, paragraph, startsParagraph }, at) => {
    const own = [...(terms[at] ?? [])];
    const weight = own.reduce((sum, term) => sum + Math.log(1 + (frequency.get(term) ?? 0)), 0);
    const size = wordCount(text);
    const place = (at === 0 ? 1.6 : startsParagraph ? 1.2 : 1) * (paragraph === 0 ? 1.2 : 1);
    const shape = size < 5 || size > 60 ? 0.4 : 1;
    return (weight / Math.sqrt(Math.max(own.length, 4))) * place * shape;
  });
}

function likeness(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): number {
  if (!a?.size || !b?.size) return 0;
  const shared = [...a].filter((term) => b.has(term)).length;
  return shared / Math.min(a.size, b.size);
}

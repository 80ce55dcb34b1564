import { pairs, unitWords } from './lexicon.ts';

const irregular = pairs(
  'people person|potatoes potato|tomatoes tomato|ips ip|ids id|children child|series series|species species|statuses status|buses bus|lens lens|lenses lens',
);

/** Whether a word is an article or courtesy, which never changes a task. */
export const isArticle = (word: string): boolean =>
  /^(?:the|an|a|my|our|please|kindly|just)$/i.test(word);

/** The singular of a noun in lower case, by its spelling. */
export function singular(word: string): string {
  const lower = word.toLowerCase();
  const known = irregular.get(lower);
  if (known !== undefined) return known;
  if (lower.endsWith('people')) return `${lower.slice(0, -6)}person`;
  if (lower.length < 4 || /(?:ss|us|is)$/.test(lower) || !lower.endsWith('s')) return lower;
  if (lower.endsWith('ies')) return `${lower.slice(0, -3)}y`;
  return lower.slice(0, /(?:ss|sh|ch|x|z)es$/.test(lower) ? -2 : -1);
}

/** Whether a word has this singular. At most its last three letters are cut off. */
export const hasSingular = (word: string, stem: string): boolean =>
  word.length >= stem.length &&
  word.length < stem.length + 4 &&
  word.charAt(0).toLowerCase() === stem.charAt(0) &&
  singular(word) === stem;

/** The plural of a noun, by its spelling. */
export function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, 'ies');
  return noun
    .replace(/person$/, 'people')
    .replace(/(?<!people)$/, /(?:s|x|z|ch|sh)$/.test(noun) ? 'es' : 's');
}

/** The words of a name such as `BillingCountry`, `temp_max` or `Order Date`, in lower case and in the singular. */
export function nameWords(name: string): readonly string[] {
  const known = wordsOfNames.get(name) ?? splitName(name);
  if (wordsOfNames.size > 10_000) wordsOfNames.clear();
  wordsOfNames.set(name, known);
  return known;
}

/** Names and words that were split, because many rules ask for the same ones. */
const wordsOfNames = new Map<string, readonly string[]>();

const splitName = (name: string): string[] =>
  name
    .replace(/^\p{Lu}{2,}s$/u, (plural) => plural.toLowerCase())
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((part) => part !== '')
    .map(singular);

/** The name of a column without its unit: `snow` of `snow_cm`. */
export const withoutUnit = (name: string) => name.replace(unitBehind, '');

const unitBehind = new RegExp(` (?:${unitWords})$`);

/** Words that do not distinguish one thing from another. */
const kind =
  /^(?:task|item|entry|point|todo|line|row|heading|section|file|part|one|about|for|of|in|to|with)$/;

/** Selects the texts that have all words of a name, in any order: `the toner task` means `Order toner and paper`. */
export function meantBy(said: string, texts: readonly string[]): readonly string[] {
  const words = nameWords(said).filter((word) => !isArticle(word) && !kind.test(word));
  if (words.length === 0) return [];
  return texts.filter((text) => {
    const own = new Set(nameWords(text));
    return words.every((word) => own.has(word));
  });
}

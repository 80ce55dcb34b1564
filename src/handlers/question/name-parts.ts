/** Splits a name into lower-case words in the singular: `BillingCountries` → billing, country; `temp_max` → temp, max. */
export function nameParts(name: string): string[] {
  return name
    .replace(/(?<![\p{L}\d])(\p{Lu}{2,})s(?![\p{L}\d])/gu, '$1')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/['’]s?(?=\W|$)/g, '')
    .split(/[^\p{L}\p{M}\p{N}@%]+/u)
    .filter((part) => part !== '')
    .map((part) => singular(part.toLowerCase()));
}

/** Words that only look like plurals. */
const unchanged = new Set([
  'status',
  'gas',
  'bus',
  'os',
  'ms',
  'us',
  'is',
  'has',
  'was',
  'its',
  'this',
  'as',
  'series',
  'news',
  'less',
  'plus',
  'minus',
  'address',
  'dns',
  'https',
  'access',
  'always',
  'alias',
]);
const irregular = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['men', 'man'],
  ['women', 'woman'],
  ['indices', 'index'],
  ['addresses', 'address'],
  ['statuses', 'status'],
  ['movies', 'movie'],
  ['cookies', 'cookie'],
  ['species', 'species'],
]);

/** The singular of an English word, by its ending. */
export function singular(word: string): string {
  const known = irregular.get(word);
  if (known !== undefined) return known;
  if (word.length < 4 || unchanged.has(word) || !word.endsWith('s') || word.endsWith('ss'))
    return word === 'ips' || word === 'ids' ? word.slice(0, -1) : word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
  return /(?:us|is)$/.test(word) ? word : word.slice(0, -1);
}

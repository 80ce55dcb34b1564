const irregular: ReadonlyMap<string, string> = new Map([
  ['people', 'person'],
  ['ips', 'ip'],
  ['ids', 'id'],
  ['children', 'child'],
  ['series', 'series'],
  ['species', 'species'],
  ['statuses', 'status'],
  ['buses', 'bus'],
  ['lens', 'lens'],
  ['lenses', 'lens'],
]);

/** Words without a meaning for a task. */
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

/** The words of a name such as `BillingCountry`, `temp_max` or `Order Date`, in lower case and in the singular. */
export const nameWords = (name: string): string[] =>
  name
    .replace(/^\p{Lu}{2,}s$/u, (plural) => plural.toLowerCase())
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((part) => part !== '')
    .map(singular);

/** Edits that turn one word into another: insertions, deletions, replacements. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Whether one word may be a misspelling of another: not a form of it, nor its opposite. */
export function isMisspelled(word: string, name: string): boolean {
  const isForm = word.startsWith(name) || name.startsWith(word);
  if (isForm || word[0] !== name[0] || Math.abs(word.length - name.length) > 2) return false;
  const letters = (text: string) => [...text].sort().join('');
  const shortest = Math.min(word.length, name.length);
  if (shortest > 3 && letters(word) === letters(name)) return true;
  return shortest > 4 && editDistance(word, name) <= (word.length > 7 ? 2 : 1);
}

/** `unsold` of `sold` */
const denies = (word: string, name: string) =>
  word.endsWith(name) && /^(?:un|in|im|ir|il|dis|mis|non)$/.test(word.slice(0, -name.length));

/** Names that a word may be a misspelling of, nearest first, at most three. */
export function nearNames(word: string, names: readonly string[]): string[] {
  const plain = (name: string) => nameWords(name).join('');
  const goal = plain(word);
  if (goal.length < 3) return [];
  return names
    .filter((name) => !denies(goal, plain(name)))
    .map((name) => ({ name, distance: distance(goal, plain(name)) }))
    .filter(({ distance: found }) => found <= Math.max(1, Math.floor(goal.length / 3)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

const distance = (a: string, b: string) =>
  b.length > 2 && (a.includes(b) || b.includes(a)) ? 1 : editDistance(a, b);

/** What all names of our settings share: it says nothing about which of them is meant. */
const PREFIX = 'capstan_';
const SHORTEST = 3;

/**
 * The known word that differs least from the written one, for did-you-mean; undefined when none is near, and for a word
 * of less than three letters, which is near to everything.
 */
export function closest(written: string, known: Iterable<string>): string | undefined {
  const whole = written.toLowerCase().slice(0, 100);
  const isOurs = whole.startsWith(PREFIX);
  const wanted = isOurs ? whole.slice(PREFIX.length) : whole;
  if (wanted.length < SHORTEST) return undefined;
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.max(1, Math.floor(wanted.length / 4))) + 1;
  for (const word of known) {
    const one = word.toLowerCase();
    const far = distance(wanted, isOurs && one.startsWith(PREFIX) ? one.slice(PREFIX.length) : one);
    if (far < bestDistance) [best, bestDistance] = [word, far];
  }
  return best;
}

/** The sentence for it: the nearest known word, else all of them. */
export function didYouMean(written: string, known: Iterable<string>): string {
  const all = [...known];
  const meant = closest(written, all);
  return meant ? `Did you mean ${meant}?` : `There are: ${all.join(', ')}.`;
}

/** Letters to add, drop or change on the way from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const change = at(row, column - 1) + (letter === to[column - 1] ? 0 : 1);
      next[column] = Math.min(at(row, column) + 1, at(next, column - 1) + 1, change);
    }
    row = next;
  }
  return at(row, to.length);
}

const at = (row: readonly number[], column: number): number =>
  row[column] ?? Number.POSITIVE_INFINITY;

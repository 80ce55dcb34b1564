/** The common prefix of setting names. It is ignored in the comparison. */
const PREFIX = 'capstan_';
const MIN_LENGTH = 3;

/**
 * The known word with the smallest edit distance to the written one, for "did you mean". Undefined if none is close, or
 * if the written word has fewer than three letters.
 */
export function closest(written: string, known: Iterable<string>): string | undefined {
  const whole = written.toLowerCase().slice(0, 100);
  const isOurs = whole.startsWith(PREFIX);
  const wanted = isOurs ? whole.slice(PREFIX.length) : whole;
  if (wanted.length < MIN_LENGTH) return undefined;
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.max(1, Math.floor(wanted.length / 4))) + 1;
  for (const word of known) {
    const one = word.toLowerCase().slice(0, 100);
    const far = editDistance(
      wanted,
      isOurs && one.startsWith(PREFIX) ? one.slice(PREFIX.length) : one,
    );
    if (far < bestDistance) [best, bestDistance] = [word, far];
  }
  return best;
}

/** A sentence that suggests the closest known word, or lists all of them if none is close. */
export function didYouMean(written: string, known: Iterable<string>): string {
  const all = [...known];
  const meant = closest(written, all);
  return meant ? `Did you mean ${meant}?` : `There are: ${all.join(', ')}.`;
}

/** The number of letters to add, drop or change to turn one word into the other. Two letters in the wrong order are one change. */
export function editDistance(from: string, to: string): number {
  if (isSwapped(from, to)) return 1;
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

function isSwapped(from: string, to: string): boolean {
  const first = [...from].findIndex((letter, index) => letter !== to[index]);
  const swapped = `${from.slice(0, first)}${from[first + 1]}${from[first]}${from.slice(first + 2)}`;
  return first >= 0 && swapped === to;
}

const at = (row: readonly number[], column: number): number =>
  row[column] ?? Number.POSITIVE_INFINITY;

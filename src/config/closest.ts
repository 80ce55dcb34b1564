/** The known word that differs least from the written one, for did-you-mean; undefined when none is near. */
export function closest(written: string, known: Iterable<string>): string | undefined {
  const wanted = written.toLowerCase().slice(0, 100);
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.max(1, Math.floor(wanted.length / 4))) + 1;
  for (const word of known) {
    const far = distance(wanted, word.toLowerCase());
    if (far < bestDistance) [best, bestDistance] = [word, far];
  }
  return best;
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

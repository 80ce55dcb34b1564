/** Keeps the first `limit` items of an order, and one more to see whether the cut goes through a tie. Earlier items win ties. */
export function createTop<T>(
  compare: (a: T, b: T) => number,
  limit: number,
): { add(item: T): void; finish(): { items: T[]; cutsTie: boolean } } {
  let held: T[] = [];
  const keep = limit + 1;

  const cut = (): void => {
    held.sort(compare);
    held = held.slice(0, keep);
  };

  return {
    add(item) {
      held.push(item);
      if (held.length > keep * 4 + 1_000) cut();
    },
    finish() {
      cut();
      const [last, next] = [held[limit - 1], held[limit]];
      const cutsTie = last !== undefined && next !== undefined && compare(last, next) === 0;
      return { items: held.slice(0, limit), cutsTie };
    },
  };
}

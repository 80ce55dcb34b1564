/**
 * Picks diverse vectors greedily: the first, then each time the one that is farthest from all picked so far. Returns their
 * indexes in ascending order.
 */
export function mostDiverse(vectors: readonly Float32Array[], count: number): number[] {
  const picked = new Set<number>();
  /** The highest cosine with a picked vector. */
  const nearest = vectors.map(() => Number.NEGATIVE_INFINITY);
  for (
    let next = 0;
    picked.size < Math.min(count, vectors.length);
    next = lowest(nearest, picked)
  ) {
    picked.add(next);
    const last = vectors[next] ?? new Float32Array();
    for (const [at, vector] of vectors.entries()) {
      nearest[at] = Math.max(nearest[at] ?? 0, dot(vector, last));
    }
  }
  return [...picked].sort((a, b) => a - b);
}

function lowest(values: readonly number[], without: ReadonlySet<number>): number {
  let low = -1;
  for (const [at, value] of values.entries())
    if (!without.has(at) && (low === -1 || value < (values[low] ?? 0))) low = at;
  return low;
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

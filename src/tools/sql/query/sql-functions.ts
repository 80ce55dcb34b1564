import type { Database } from 'better-sqlite3';

const MAX_PATTERNS = 100;

/** Adds functions that SQLite does not have: `regexp`, `stddev`, `stddev_samp` and `stddev_pop`. */
export function addFunctions(db: Database): void {
  const patterns = new Map<string, RegExp>();
  const compile = (pattern: string): RegExp => {
    const compiled = patterns.get(pattern) ?? new RegExp(pattern, 'u');
    if (patterns.size >= MAX_PATTERNS) patterns.clear();
    patterns.set(pattern, compiled);
    return compiled;
  };
  // X REGEXP Y is regexp(Y, X).
  db.function('regexp', { deterministic: true }, (pattern: unknown, text: unknown) =>
    pattern === null || text === null ? null : Number(compile(String(pattern)).test(String(text))),
  );
  db.aggregate('stddev', spread(1));
  db.aggregate('stddev_samp', spread(1));
  db.aggregate('stddev_pop', spread(0));
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  const isText = typeof value === 'string' && value.trim() !== '';
  return isText && Number.isFinite(Number(value)) ? Number(value) : undefined;
}

/** Welford's sums; NULL, blobs, and text that is not a number are ignored. @param freedom 1: of a sample, 0: of all values. */
const spread = (freedom: 0 | 1) => ({
  start: () => ({ count: 0, mean: 0, squares: 0 }),
  deterministic: true,
  step(sums: { count: number; mean: number; squares: number }, value: unknown) {
    const number = numberOf(value);
    if (number === undefined) return sums;
    const count = sums.count + 1;
    const delta = number - sums.mean;
    const mean = sums.mean + delta / count;
    return { count, mean, squares: sums.squares + delta * (number - mean) };
  },
  result: ({ count, squares }: { count: number; squares: number }) =>
    count > freedom ? Math.sqrt(squares / (count - freedom)) : null,
});

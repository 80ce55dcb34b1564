import { readFileSync } from 'node:fs';

/** The result of `work`, or `otherwise` if it throws: for what may be gone at any time, as in `/proc`. */
export function tryOr<T, F>(work: () => T, otherwise: F): T | F {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** The content of a file; empty if it can't be read. */
export const textOf = (path: string): string => tryOr(() => readFileSync(path, 'utf8'), '');

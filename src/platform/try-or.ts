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
export const textOfFile = (path: string): string => tryOr(() => readFileSync(path, 'utf8'), '');

/** The `code` of a failed system call: `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Lets the Capstan of a `CAPSTAN_HOME` start with the code that others compiled in this run of the tests. Does nothing where
 * there is a cache already.
 */
export function shareCode(capstanHome: string): void {
  if (existsSync(join(capstanHome, 'cache'))) return;
  const code = join(tmpdir(), 'compiled');
  mkdirSync(code, { recursive: true, mode: 0o700 });
  mkdirSync(join(capstanHome, 'cache'), { recursive: true, mode: 0o700 });
  symlinkSync(code, join(capstanHome, 'cache/code'));
}

import { mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Lets the Capstan of a new `CAPSTAN_HOME` start with the code that others compiled in this run of the tests. */
export function shareCode(capstanHome: string): void {
  const code = join(tmpdir(), 'compiled');
  mkdirSync(code, { recursive: true, mode: 0o700 });
  mkdirSync(join(capstanHome, 'cache'), { recursive: true, mode: 0o700 });
  symlinkSync(code, join(capstanHome, 'cache/code'));
}

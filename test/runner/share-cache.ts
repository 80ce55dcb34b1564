import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Lets the Capstan of a `CAPSTAN_HOME` start with what others found in this run of the tests: the code that they compiled, and
 * the isolation that there is. Does nothing where there is a cache already.
 */
export function shareCache(capstanHome: string): void {
  const cache = join(capstanHome, 'cache');
  if (existsSync(cache)) return;
  const shared = join(tmpdir(), 'cache');
  mkdirSync(join(shared, 'code'), { recursive: true, mode: 0o700 });
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  for (const name of ['code', 'isolation.json']) symlinkSync(join(shared, name), join(cache, name));
}

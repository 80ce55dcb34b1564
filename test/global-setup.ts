import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll, buildChildren, buildHandlers, buildSdk } from '../scripts/build.ts';

/**
 * Bundles everything that tests start as a process, so that they start what the sources say now. Where the command
 * line does not bundle, the rest is tested all the same. What tests leave in the temporary folder, also by processes that
 * they kill, is gone when they end. With `CAPSTAN_TESTS_BUILT` (set by `.ci/run`), `npm run build` has bundled it just before.
 *
 * @returns What is done when all tests have ended.
 */
export default async function setup(): Promise<() => void> {
  // Each project of the configuration asks for it; they share this process.
  if (process.env['CAPSTAN_TESTS_PREPARED'] !== undefined) return () => undefined;
  process.env['CAPSTAN_TESTS_PREPARED'] = '1';
  // Short: paths of sockets may have 107 bytes.
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'ct-')));
  process.env['TMPDIR'] = temporary;
  if (process.env['CAPSTAN_TESTS_BUILT'] !== '1') await buildWhatTestsStart();
  return () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
}

async function buildWhatTestsStart(): Promise<void> {
  await buildAll().catch((error) => {
    console.warn(`dist/main.cjs is out of date: ${error}`);
    return Promise.allSettled([buildSdk(), buildHandlers(), buildChildren()]);
  });
}

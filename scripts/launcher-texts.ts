import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { replaceFile } from './replace-file.ts';

/** The texts that `bin/capstan.js` prints without loading the program, and the bundle's identity for its code cache. */
export interface LauncherTexts {
  readonly version: string;
  readonly help: string;
  /** Of dist/main.cjs, first 16 hex digits of SHA-256. */
  readonly bundle: string;
}

/** The output of the built command line for `argument`. */
export async function printed(root: string, argument: string): Promise<string> {
  const code = 'require(process.argv[1]).main([process.argv[2]]).then((c) => process.exit(c))';
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['-e', code, join(root, 'dist/main.cjs'), argument],
    { timeout: 30_000, env: { PATH: process.env['PATH'] ?? '' } },
  );
  return stdout;
}

/** Runs the bundle to get its help and version, and writes them beside it. */
export async function writeLauncherTexts(root: string): Promise<void> {
  const [version, help] = await Promise.all([printed(root, '--version'), printed(root, '--help')]);
  const bundle = createHash('sha256').update(readFileSync(join(root, 'dist/main.cjs')));
  const texts: LauncherTexts = { version, help, bundle: bundle.digest('hex').slice(0, 16) };
  replaceFile(join(root, 'dist/launcher.json'), Buffer.from(`${JSON.stringify(texts)}\n`));
}

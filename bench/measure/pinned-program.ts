import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

const bench = join(import.meta.dirname, '..');
const built = join(bench, '.built');

/** Uses one core, if possible: two communicating processes are slower on an idle virtual machine than on a busy one. */
function onOneCore(argv: readonly string[]): readonly string[] {
  const canPin = spawnSync('taskset', ['-c', '1', 'true']).status === 0;
  return canPin ? ['taskset', '-c', '1', ...argv] : argv;
}

/** Bundles a program of `bench/` like the product, runs it pinned with these arguments, and returns its output. */
export async function runPinned(
  entry: string,
  options: BuildOptions,
  argv: readonly string[] = [],
): Promise<string> {
  const outfile = join(built, entry.replace(/\.ts$/, options.format === 'esm' ? '.mjs' : '.cjs'));
  try {
    await build({
      ...options,
      bundle: true,
      write: true,
      entryPoints: [join(bench, entry)],
      outfile,
    });
    const [file = '', ...args] = onOneCore([process.execPath, outfile, ...argv]);
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      NODE_ENV: 'production',
    };
    return execFileSync(file, args, { encoding: 'utf8', timeout: 120_000, env });
  } finally {
    rmSync(outfile, { force: true });
  }
}

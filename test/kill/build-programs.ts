import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { lean } from '../../scripts/build.ts';
import { bundleLean, writeLauncher } from '../programs/lean-program.ts';

/** The programs that are killed, bundled: they start in a fraction of the time. */
export interface Programs {
  /** Starts the run's program like the launcher starts Capstan: with the compiled code of an earlier process. */
  readonly program: string;
  /** The same for runs one after another, named on its stdin. */
  readonly resumer: string;
  /** Both for `node --require`. */
  readonly stopAt: string;
  readonly faultAt: string;
  /** Capstan's cache folder in every process: the isolation level is found once, not for each run. */
  readonly cacheDir: string;
  remove(): void;
}

export async function buildPrograms(): Promise<Programs> {
  const root = join(import.meta.dirname, '../..');
  // Inside the repository, where native packages are found; never published.
  const outdir = join(root, 'node_modules', '.cache', `capstan-kill-${process.pid}-${Date.now()}`);
  mkdirSync(outdir, { recursive: true });
  const own = (name: string) => join(import.meta.dirname, `${name}.ts`);
  const hook = async (name: string) => {
    const outfile = join(outdir, `${name}.cjs`);
    await build({ ...lean, entryPoints: [own(name)], outfile, write: true });
    return outfile;
  };
  const [stopAt, faultAt] = await Promise.all([
    hook('stop-at'),
    hook('fault-at'),
    bundleLean(own('program'), outdir),
  ]);
  const launcherOf = (word: string) => writeLauncher(outdir, `${word}.cjs`, `['${word}']`);
  const cacheDir = join(outdir, 'cache');
  mkdirSync(cacheDir, { mode: 0o700 });
  return {
    cacheDir,
    program: launcherOf('life'),
    resumer: launcherOf('lives'),
    stopAt,
    faultAt,
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}

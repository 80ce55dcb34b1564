import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { lean } from '../../scripts/build.ts';
import { apart } from '../../scripts/lean-bundle.ts';

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
  const bundle = async (entry: string, file: string) => {
    const outfile = join(outdir, file);
    await build({ ...lean, entryPoints: [entry], outfile, write: true });
    return outfile;
  };
  const own = (name: string, file: string) => bundle(join(import.meta.dirname, `${name}.ts`), file);
  const [stopAt, faultAt] = await Promise.all([
    own('stop-at', 'stop-at.cjs'),
    own('fault-at', 'fault-at.cjs'),
    own('program', 'main.cjs'),
    ...[...apart].map(([name, file]) => bundle(name, file)),
  ]);
  const launcherOf = (word: string) => {
    const path = join(outdir, `${word}.cjs`);
    const start = JSON.stringify(join(root, 'bin/start.js'));
    writeFileSync(path, `require(${start}).start(__dirname, 'sweep', ['${word}']);\n`);
    return path;
  };
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

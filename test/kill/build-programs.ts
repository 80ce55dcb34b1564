import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { lean } from '../../scripts/build.ts';
import { apart } from '../../scripts/lean-bundle.ts';

/** The programs that are killed, bundled: a start takes a fraction of what sources would. */
export interface Programs {
  readonly program: string;
  /** Both for `node --require`. */
  readonly stopAt: string;
  readonly faultAt: string;
  /** Capstan's cache folder in every life: what isolation there is is found once, not for each run. */
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
  const own = (name: string) => bundle(join(import.meta.dirname, `${name}.ts`), `${name}.cjs`);
  const [program, stopAt, faultAt] = await Promise.all([
    own('program'),
    own('stop-at'),
    own('fault-at'),
    ...[...apart].map(([name, file]) => bundle(name, file)),
  ]);
  const cacheDir = join(outdir, 'cache');
  mkdirSync(cacheDir, { mode: 0o700 });
  return {
    cacheDir,
    program,
    stopAt,
    faultAt,
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}

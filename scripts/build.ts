import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  minifySyntax: true,
  logLevel: 'warning',
} as const;

/** Bundles the capsule SDK into the one file that a capsule process loads. */
export async function buildSdk(): Promise<void> {
  const entry = join(root, 'src/runtime/capsule/sdk.ts');
  if (!existsSync(entry)) return;
  await build({
    ...common,
    minify: true,
    entryPoints: [entry],
    outfile: join(root, 'dist/capsule-sdk.cjs'),
  });
}

/** Bundles the handlers of every shipped capsule into its folder. */
export async function buildHandlers(): Promise<void> {
  const ids = readdirSync(join(root, 'agents')).filter((id) =>
    existsSync(join(root, 'src/handlers', `${id}.ts`)),
  );
  await Promise.all(
    ids.map((id) =>
      build({
        ...common,
        entryPoints: [join(root, 'src/handlers', `${id}.ts`)],
        outfile: join(root, 'agents', id, 'handlers.cjs'),
      }),
    ),
  );
}

if (process.argv[1] === import.meta.filename) {
  await Promise.all([buildSdk(), buildHandlers()]);
}

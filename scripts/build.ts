import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { packIndex } from '../src/embeddings/static/piece-index.ts';
import { writeLauncherTexts } from './launcher-texts.ts';
import { apart, drawing, leanBundle, requireWhenUsed } from './lean-bundle.ts';
import { replaceFile } from './replace-file.ts';
import { thirdPartyNotices } from './third-party-notices.ts';
import { writeLibraryTypes } from './types/library-types.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** Packages with native parts stay dependencies. */
const external = ['better-sqlite3/build/*', 'sqlite-vec', 'onnxruntime-node'];

const common: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  minifySyntax: true,
  legalComments: 'eof',
  logLevel: 'warning',
  write: false,
  absWorkingDir: root,
};

/** Sources are modules and bundles are CommonJS: a bundle knows its own place by CommonJS' names. */
const importMeta = {
  define: {
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
    'import.meta.url': 'importMetaUrl',
  },
  banner: { js: "const importMetaUrl=require('node:url').pathToFileURL(__filename).href;" },
};

/** For the coordinator: whole packages, minified and tree-shaken. */
export const lean: BuildOptions = {
  ...common,
  banner: { js: `${importMeta.banner.js}${requireWhenUsed}` },
  define: { ...importMeta.define, 'process.env.NODE_ENV': '"production"' },
  minify: true,
  // Code from the code cache has no loader for `import()`.
  supported: { 'dynamic-import': false },
  external,
  inject: [join(import.meta.dirname, 'stubs/performance.ts')],
  plugins: [leanBundle],
};

/**
 * Escapes non-ASCII characters (esbuild leaves them in regular expressions): a program with one byte per character
 * takes half the memory and need not be decoded.
 */
const toAscii = (text: string): Buffer =>
  Buffer.from(
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    'latin1',
  );

/** Bundles one entry. Several builds of one tree may run at the same time, even while their output is in use. */
async function bundle(options: BuildOptions): Promise<Metafile> {
  const result = await build({ ...options, metafile: true });
  for (const { path, text } of result.outputFiles ?? []) replaceFile(path, toAscii(text));
  return result.metafile;
}

/** Bundles `from`, a file under src/, if it exists. */
async function bundleSource(
  from: string,
  outfile: string,
  options: BuildOptions,
): Promise<Metafile | undefined> {
  const entry = join(root, 'src', from);
  if (!existsSync(entry)) return undefined;
  return bundle({ ...options, entryPoints: [entry], outfile });
}

/** Bundles the capsule SDK into the one file that a capsule process loads. */
export async function buildSdk(): Promise<void> {
  await bundleSource('runtime/capsule/sdk.ts', join(dist, 'capsule-sdk.cjs'), {
    ...common,
    minify: true,
  });
}

/**
 * A capsule reads one short text by hundreds of regular expressions and functions, so that optimizing them takes longer
 * than it saves. Node 20 alone has the last flag.
 */
const optimizeLate =
  "require('node:v8').setFlagsFromString('--regexp-tier-up-ticks=10 --no-regexp-optimization --no-regexp-peephole-optimization'+(process.versions.v8.startsWith('11.3.')?' --interrupt-budget=500000':''));";

/** Bundles the handlers of every shipped capsule into its folder. */
export async function buildHandlers(): Promise<void> {
  const ids = readdirSync(join(root, 'agents'));
  await Promise.all(
    ids.map((id) =>
      bundleSource(`../agents/${id}/handlers.ts`, join(root, 'agents', id, 'handlers.cjs'), {
        ...common,
        minify: true,
        banner: { js: optimizeLate },
      }),
    ),
  );
}

/** Indexes the vocabulary of the built-in embedder at build time, so that no start has to. */
export function buildVocabularyIndex(): void {
  const folder = join(root, 'models/static-en-256');
  const index = packIndex(readFileSync(join(folder, 'vocab.txt')));
  replaceFile(join(folder, 'vocab.index'), index);
}

/** Programs that the coordinator starts: each runs from its own file. */
const besides = [
  ['tools/sql/process/sql-child.ts', 'sql-child.cjs'],
  ['tools/file-io/change/replace-worker.ts', 'replace-worker.cjs'],
  ['tools/page/page-text-worker.ts', 'page-text-worker.cjs'],
  ['embeddings/transformers/transformers-worker.ts', 'transformers-worker.cjs'],
] as const;

/** Bundles the coordinator's child process and worker. */
export async function buildChildren(): Promise<Metafile[]> {
  const metafiles = await Promise.all(
    besides.map(([from, to]) => bundleSource(from, join(dist, to), lean)),
  );
  return metafiles.filter((metafile) => metafile !== undefined);
}

/** Bundles the packages that are loaded from separate files. */
function buildApart(): Promise<Metafile[]> {
  const entries = [...apart, [drawing.entry, drawing.file] as const];
  const bundles = entries.map(([entry, to]) =>
    bundle({ ...lean, entryPoints: [entry], outfile: join(dist, to) }),
  );
  return Promise.all(bundles);
}

/** Bundles the command line, and writes the texts that the launcher prints itself. */
export async function buildCli(): Promise<Metafile[]> {
  const metafile = await bundleSource('cli/main.ts', join(dist, 'main.cjs'), lean);
  if (!metafile) return [];
  const packages = await buildApart();
  await writeLauncherTexts(root);
  return [metafile, ...packages];
}

/** Bundles the application API for programs that embed Capstan, and writes its type declarations. */
export async function buildLibrary(): Promise<Metafile[]> {
  await writeLibraryTypes(root, join(dist, 'types'));
  const metafile = await bundleSource('app/library.ts', join(dist, 'library.cjs'), lean);
  return metafile ? [metafile] : [];
}

/** Builds the dashboard's page into dist/web. */
export async function buildPage(): Promise<void> {
  // Selects the React build for the page; the environment of the build may have set another one.
  process.env['NODE_ENV'] = 'production';
  const { build: buildFiles } = await import('vite');
  await buildFiles({ configFile: join(root, 'src/web/ui/vite.config.ts') });
}

/** `npm run build`. */
export async function buildAll(): Promise<void> {
  buildVocabularyIndex();
  const [cli, children, library] = await Promise.all([
    buildCli(),
    buildChildren(),
    buildLibrary(),
    buildSdk(),
    buildHandlers(),
    buildPage(),
  ]);
  const notices = thirdPartyNotices(root, [...cli, ...children, ...library]);
  replaceFile(join(dist, 'THIRD_PARTY_NOTICES.txt'), Buffer.from(notices));
}

if (process.argv[1] === import.meta.filename) await buildAll();

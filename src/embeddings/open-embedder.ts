import { join } from 'node:path';
import type { Embedder } from './embedder.ts';
import { withOtherScripts } from './other-scripts.ts';
import { openStaticEmbedder } from './static/static-table.ts';
import type { TransformersOptions } from './transformers/transformers.ts';

/** All but the first two are for `minilm` only. */
export interface OpenEmbedderOptions
  extends Pick<
    TransformersOptions,
    'modelDir' | 'cacheDir' | 'mayDownload' | 'onProgress' | 'agentFor'
  > {
  readonly name: 'static' | 'minilm';
  /** The folder of the installed package, with `models/` and `dist/`. */
  readonly packageDir: string;
}

/**
 * Opens the embedder that the settings name, for texts in any script.
 *
 * @throws AppError `EMBEDDER_UNAVAILABLE`, with the fix.
 */
export async function openEmbedder(options: OpenEmbedderOptions): Promise<Embedder> {
  const { name, packageDir, ...rest } = options;
  if (name === 'static')
    return withOtherScripts(await openStaticEmbedder(join(packageDir, 'models/static-en-256')));
  const { openTransformersEmbedder } = await import('./transformers/transformers.ts');
  const workerPath = join(packageDir, 'dist/transformers-worker.cjs');
  return withOtherScripts(await openTransformersEmbedder({ workerPath, ...rest }));
}

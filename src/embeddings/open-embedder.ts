import { join } from 'node:path';
import type { DownloadOptions, DownloadProgress } from './download-model.ts';
import type { Embedder } from './embedder.ts';
import { withOtherScripts } from './other-scripts.ts';
import { openStaticEmbedder } from './static/static-table.ts';

export interface OpenEmbedderOptions {
  readonly name: 'static' | 'minilm';
  /** The folder of the installed package, with `models/` and `dist/`. */
  readonly packageDir: string;
  /** `minilm` only: a folder with the model. */
  readonly modelDir?: string | undefined;
  /** `minilm` only: the cache folder for the download. */
  readonly cacheDir: string;
  /** `minilm` only: whether a missing model is downloaded. Default: true. */
  readonly mayDownload?: boolean | undefined;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /** The agent for an address: a proxy's, if one is configured. */
  readonly agentFor?: DownloadOptions['agentFor'];
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

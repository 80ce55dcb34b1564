import { installFolder } from '../../../config/files/install-folder.ts';
import type { Settings } from '../../../config/settings.ts';
import type { Embedder } from '../../../embeddings/embedder.ts';
import { type OpenEmbedderOptions, openEmbedder } from '../../../embeddings/open-embedder.ts';
import { modelAgents } from './model-agents.ts';

/**
 * Opens the embedder that the settings name.
 *
 * @throws AppError `EMBEDDER_UNAVAILABLE`.
 */
export const openOwnEmbedder = (
  settings: Pick<Settings, 'embedder' | 'modelDir' | 'places' | 'network'>,
  options: Pick<OpenEmbedderOptions, 'onProgress' | 'mayDownload'> = {},
): Promise<Embedder> =>
  openEmbedder({
    name: settings.embedder,
    packageDir: installFolder(),
    modelDir: settings.modelDir,
    cacheDir: settings.places.cacheDir,
    agentFor: modelAgents(settings),
    ...options,
  });

import type { Settings } from '../../config/settings.ts';
import { AppError, messageOf } from '../../contract/errors.ts';
import { type DownloadProgress, downloadModel, isWhole } from '../../embeddings/download-model.ts';
import { downloadFolder } from '../../embeddings/model-folder.ts';
import { modelAgents } from './model-agents.ts';

/**
 * Downloads all-MiniLM-L6-v2 into the cache folder, where it is not there yet.
 *
 * @throws AppError `EMBEDDER_UNAVAILABLE` where it can't be had; what has come so far is kept.
 */
export async function fetchMiniLm(
  settings: Pick<Settings, 'places' | 'network'>,
  onProgress: (progress: DownloadProgress) => void,
): Promise<{ readonly folder: string; readonly isNew: boolean }> {
  const folder = downloadFolder(settings.places.cacheDir);
  if (await isWhole(folder)) return { folder, isNew: false };
  try {
    await downloadModel({ to: folder, onProgress, agentFor: modelAgents(settings) });
    return { folder, isNew: true };
  } catch (error) {
    const problem = `it could not be downloaded: ${messageOf(error)}`;
    const fix =
      'What has come so far is kept: try again. Check the network and HTTPS_PROXY, or name a folder that has it in CAPSTAN_MODEL_DIR.';
    throw new AppError(
      'EMBEDDER_UNAVAILABLE',
      { embedder: 'minilm', problem, fix },
      { cause: error },
    );
  }
}

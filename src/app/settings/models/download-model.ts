import { AppError, messageOf } from '../../../contract/errors.ts';
import { usage } from '../../../contract/usage.ts';
import { downloadModel as download, isWhole } from '../../../embeddings/download-model.ts';
import { downloadFolder } from '../../../embeddings/model-folder.ts';
import { makeFolder } from '../../../platform/files/make-folder.ts';
import type { AppContext } from '../../context/open-context.ts';
import { modelAgents } from '../../wiring/models/open-own-embedder.ts';

export interface DownloadOptions {
  /** Called as bytes arrive. */
  readonly onProgress?: ((receivedBytes: number, totalBytes: number) => void) | undefined;
}

export interface DownloadedModel {
  /** `all-MiniLM-L6-v2`. */
  readonly model: string;
  /** Absolute. */
  readonly folder: string;
  /** False if it was there already. */
  readonly isNew: boolean;
  /** Whether the settings in force use it. */
  readonly isUsed: boolean;
}

/** Implements `models.download`. */
export async function downloadModel(
  context: AppContext,
  name: string,
  { onProgress }: DownloadOptions = {},
): Promise<DownloadedModel> {
  if (name !== 'minilm')
    throw usage(
      `There is no model "${name}" to download. Only minilm can be downloaded; static-en-256 is built in.`,
    );
  const { settings } = await context.settings();
  makeFolder(settings.places.cacheDir);
  const folder = downloadFolder(settings.places.cacheDir);
  const isNew = !(await isWhole(folder));
  const isUsed = settings.embedder === 'minilm';
  const model = { model: 'all-MiniLM-L6-v2', folder, isNew, isUsed };
  if (!isNew) return model;
  try {
    await download({
      to: folder,
      onProgress: ({ receivedBytes, totalBytes = 0 }) => onProgress?.(receivedBytes, totalBytes),
      agentFor: modelAgents(settings),
    });
    return model;
  } catch (cause) {
    const problem = `it could not be downloaded: ${messageOf(cause)}`;
    throw new AppError('EMBEDDER_UNAVAILABLE', { embedder: name, problem, fix: FIX }, { cause });
  }
}

const FIX =
  'Check the network and HTTPS_PROXY, or set CAPSTAN_MODEL_DIR to a folder that contains the model.';

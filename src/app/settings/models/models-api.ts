import { lazyApi } from '../../calls/lazy-api.ts';
import type { CheckModelsOptions, ModelCheck } from './check-models.ts';
import type { DownloadedModel, DownloadOptions } from './download-model.ts';
import type { ListModelsOptions, ModelList } from './list-models.ts';

/**
 * `capstan.models`: the language models that runs ask, and embedding models that are not built in. All functions throw
 * AppError `SETTINGS_INVALID`.
 */
export interface ModelsApi {
  /**
   * The models of the hints and the fallbacks, with prices and context windows.
   *
   * @throws AppError `PROVIDER_FAILED` if a server that brings its own models does not answer.
   */
  list(options?: ListModelsOptions): Promise<ModelList>;
  /**
   * Asks each of them for one token: decided, asked about, budgeted and recorded as in a run.
   *
   * @throws AppError `USAGE` if there is no model.
   */
  check(options?: CheckModelsOptions): Promise<readonly ModelCheck[]>;
  /**
   * Downloads an embedding model (`minilm`) into the cache folder.
   *
   * @throws AppError `USAGE` for an unknown name; `EMBEDDER_UNAVAILABLE`.
   */
  download(name: string, options?: DownloadOptions): Promise<DownloadedModel>;
}

export const modelsApi = lazyApi<ModelsApi>({
  list: async () => (await import('./list-models.ts')).listModels,
  check: async () => (await import('./check-models.ts')).checkModels,
  download: async () => (await import('./download-model.ts')).downloadModel,
});

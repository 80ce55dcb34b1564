import type { AppContext } from '../app-context.ts';
import type { DownloadedModel, DownloadOptions } from './download-model.ts';

/** `capstan.models`: embedding models that are not built in. */
export interface ModelsApi {
  /**
   * Downloads an embedding model (`minilm`) into the cache folder. An interrupted download continues.
   *
   * @throws AppError `USAGE` for an unknown name; `EMBEDDER_UNAVAILABLE`; `SETTINGS_INVALID`.
   */
  download(name: string, options?: DownloadOptions): Promise<DownloadedModel>;
}

export const modelsApi = (context: AppContext): ModelsApi => ({
  async download(name, options) {
    const { downloadModel } = await import('./download-model.ts');
    return downloadModel(context, name, options);
  },
});

import type { Agent } from 'node:http';
import { installFolder } from '../../../config/files/install-folder.ts';
import type { Settings } from '../../../config/settings.ts';
import type { Embedder } from '../../../embeddings/embedder.ts';
import { type OpenEmbedderOptions, openEmbedder } from '../../../embeddings/open-embedder.ts';
import { proxiesOf, proxyAgent, proxyFor } from '../../../llm/http/proxies.ts';

/** Opens the embedder that the settings name. */
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

/** The agent for downloads of a model: the user's proxy for the address, if one is set. */
export const modelAgents =
  ({ network }: Pick<Settings, 'network'>) =>
  async (url: URL): Promise<Agent | undefined> => {
    const proxy = proxyFor(url, proxiesOf(network));
    return proxy === undefined ? undefined : proxyAgent(url, proxy);
  };

import type { Agent } from 'node:http';
import type { Settings } from '../../config/settings.ts';
import { proxyAgent, proxyFor } from '../../llm/proxies.ts';

/** How addresses are reached that a model is downloaded from: by the person's proxy, where one is set for them. */
export const modelAgents =
  ({ network }: Pick<Settings, 'network'>) =>
  async (url: URL): Promise<Agent | undefined> => {
    const { httpProxy: http, httpsProxy: https, noProxy } = network;
    const proxy = proxyFor(url, { http, https, no: noProxy.join(',') });
    return proxy === undefined ? undefined : proxyAgent(url, proxy);
  };

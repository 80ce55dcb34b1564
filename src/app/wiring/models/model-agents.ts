import type { Agent } from 'node:http';
import type { Settings } from '../../../config/settings.ts';
import { proxyAgent, proxyFor } from '../../../llm/http/proxies.ts';

/** The agent for downloads of a model: the user's proxy for the address, if one is set. */
export const modelAgents =
  ({ network }: Pick<Settings, 'network'>) =>
  async (url: URL): Promise<Agent | undefined> => {
    const { httpProxy: http, httpsProxy: https, noProxy } = network;
    const proxy = proxyFor(url, { http, https, no: noProxy.join(',') });
    return proxy === undefined ? undefined : proxyAgent(url, proxy);
  };

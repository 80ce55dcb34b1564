import type { Agent } from 'node:http';
import type { Settings } from '../../config/settings.ts';
import { isLoopback } from '../../platform/loopback.ts';

/** Options of every request: certificates are checked regardless of NODE_TLS_REJECT_UNAUTHORIZED. */
export const CHECKED_TLS = { rejectUnauthorized: true } as const;

/** The values of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
export interface Proxies {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** Comma-separated hosts, `.suffix`, `host:port` or `*`. */
  readonly no?: string | undefined;
}

/** The proxies of the user. */
export const proxiesOf = (network: Partial<Settings['network']>): Proxies => ({
  http: network.httpProxy,
  https: network.httpsProxy,
  no: network.noProxy?.join(','),
});

/** The proxy for a URL, or undefined for a direct connection. Loopback is always direct. */
export function proxyFor(url: URL, proxies: Proxies): string | undefined {
  const proxy = url.protocol === 'https:' ? proxies.https : proxies.http;
  if (!proxy || isLoopback(url.href) || isExempt(url, proxies.no ?? '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => matches(entry.toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [, name, wantedPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? [];
  const isIpv6 = (entry.match(/:/g)?.length ?? 0) > 1 && !entry.startsWith('[');
  if (!isIpv6 && wantedPort !== undefined && wantedPort !== port) return false;
  const suffix = (isIpv6 ? entry : (name ?? '')).replace(/^\*?\./, '');
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
}

/** A keep-alive agent that goes through a proxy: CONNECT for https, absolute URLs for http. */
export async function proxyAgent(url: URL, proxy: string): Promise<Agent> {
  const options = { keepAlive: true, ...CHECKED_TLS };
  if (url.protocol === 'https:') {
    const { HttpsProxyAgent } = await import('https-proxy-agent');
    return new HttpsProxyAgent(proxy, options);
  }
  const { HttpProxyAgent } = await import('http-proxy-agent');
  return new HttpProxyAgent(proxy, options);
}

import type { Agent } from 'node:http';
import { isIP } from 'node:net';
import { proxyAgent, proxyFor } from '../../llm/http/proxies.ts';
import { failure, type ToolCall } from '../define/call.ts';
import type { Address } from './addresses.ts';
import { addressesOf, assertPublic, resolveName } from './web-address.ts';

/** How a URL is reached: at addresses that were checked, or through the person's proxy. */
export type Route =
  | { readonly kind: 'direct'; readonly addresses: readonly Address[] }
  | { readonly kind: 'proxy'; readonly agent: Agent };

/** Names that mean a host of one's own wherever they are looked up. */
const ownNames = /(^|\.)(localhost|local|internal|intranet|private|corp|home|lan|arpa)$/;

/** Longest wait for a name that a proxy will look up itself, in milliseconds. */
const LOOK_UP_MS = 2_000;

/**
 * The way to a URL. A proxy looks the name up itself, so what it dials can't be checked: private addresses, names of
 * private hosts, and names that this machine resolves to private addresses are refused all the same.
 *
 * @throws AppError `TOOL_FAILED`.
 */
export async function routeTo(url: URL, call: ToolCall): Promise<Route> {
  const proxy = proxyFor(url, call.context.proxies ?? {});
  if (proxy === undefined) return { kind: 'direct', addresses: await addressesOf(url, call) };
  await assertPublicName(url, call);
  return { kind: 'proxy', agent: await proxyAgent(url, proxy) };
}

async function assertPublicName(url: URL, call: ToolCall): Promise<void> {
  if (call.context.privateOrigins.has(url.origin)) return;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (isIP(host) !== 0) {
    await addressesOf(url, call);
    return;
  }
  if (!host.includes('.') || ownNames.test(host)) {
    throw failure(
      call,
      `${url.host} is no public name, and goes through a proxy; the person's settings can open the origin ${url.origin}`,
    );
  }
  const addresses = await Promise.race([knownAddresses(host, call), nothingAfter(LOOK_UP_MS)]);
  assertPublic(url, addresses, call);
}

/** None where this machine can't tell. */
const knownAddresses = (host: string, call: ToolCall): Promise<readonly Address[]> =>
  resolveName(host, call).catch(() => []);

const nothingAfter = (ms: number): Promise<readonly Address[]> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms, []).unref();
  });

import type { RequestOptions } from 'node:http';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { proxyAgent, proxyFor } from '../../llm/http/proxies.ts';
import { failure, type ToolCall } from '../define/call.ts';
import { hostOf, lookUpAmong } from './addresses.ts';
import { addressesOf, assertPublic, resolveName } from './web-address.ts';

/** How a URL is reached: at checked addresses, or through the user's proxy. */
export interface Route extends Disposable {
  /** Options of a request. */
  readonly options: Pick<RequestOptions, 'agent' | 'lookup'>;
  /** Undefined: directly. */
  readonly proxy: string | undefined;
}

/** Names of private hosts, whatever they resolve to. */
const ownNames = /(^|\.)(localhost|local|internal|intranet|private|corp|home|lan|arpa)$/;

/** Time limit for resolving a name that the proxy resolves itself, in milliseconds. */
const LOOK_UP_MS = 2_000;

/**
 * The route to a URL. A proxy resolves the name itself, so the address that it connects to can't be checked. Private
 * addresses, names of private hosts, and names that this machine resolves to private addresses are refused anyway.
 *
 * @throws AppError `TOOL_FAILED`.
 */
export async function routeTo(url: URL, call: ToolCall): Promise<Route> {
  const proxy = proxyFor(url, call.context.proxies ?? {});
  if (proxy === undefined) {
    const lookup = lookUpAmong(await addressesOf(url, call));
    return { options: { agent: false, lookup }, proxy, [Symbol.dispose]: () => undefined };
  }
  await assertPublicName(url, call);
  const agent = await proxyAgent(url, proxy);
  return { options: { agent }, proxy, [Symbol.dispose]: () => agent.destroy() };
}

async function assertPublicName(url: URL, call: ToolCall): Promise<void> {
  if (call.context.privateOrigins.has(url.origin)) return;
  const host = hostOf(url).replace(/\.+$/, '');
  if (isIP(host) !== 0) {
    await addressesOf(url, call);
    return;
  }
  if (!host.includes('.') || ownNames.test(host)) {
    throw failure(
      call,
      `${url.host} is not a public name, and goes through a proxy. The user's setting CAPSTAN_PRIVATE_ORIGINS can open ${url.origin}.`,
    );
  }
  const known = resolveName(host, call).catch(() => []);
  assertPublic(url, await Promise.race([known, sleep(LOOK_UP_MS, [], { ref: false })]), call);
}

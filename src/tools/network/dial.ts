import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { CHECKED_TLS } from '../../llm/http/proxies.ts';
import type { ToolCall } from '../define/call.ts';
import { hostOf } from '../web/addresses.ts';
import { routeTo } from '../web/web-route.ts';
import { hostAndPort, portOf } from './network-hosts.ts';

/** Time limit for connecting, in milliseconds. */
const DIAL_MS = 15_000;

/**
 * Connects to a host like the web tools do: the name is resolved once, its addresses must be public or opened by the
 * person, and the user's proxy is used. The socket is half-open: either side may end its stream alone.
 *
 * @throws AppError `TOOL_FAILED`, Error.
 */
export async function dial(target: URL, call: ToolCall): Promise<Socket> {
  const url = asOpened(target, call);
  using route = await routeTo(url, call);
  if (route.proxy !== undefined) return tunnelled(url, route.proxy);
  const { lookup } = route.options;
  const address = { host: hostOf(url), port: portOf(url), ...(lookup && { lookup }) };
  return connected(connect({ ...address, timeout: DIAL_MS, allowHalfOpen: true }));
}

/** The URL with the scheme that the person opened its host with: the protocol of a connection is not known. */
export function asOpened(url: URL, { context }: ToolCall): URL {
  const port = portOf(url);
  const candidates = ['http', 'https'].map(
    (scheme) => new URL(`${scheme}://${url.hostname}:${port}`),
  );
  return candidates.find(({ origin }) => context.privateOrigins.has(origin)) ?? url;
}

function connected(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('it does not answer')));
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function tunnelled(url: URL, proxy: string): Promise<Socket> {
  const at = new URL(proxy);
  const path = hostAndPort(url);
  const name = `${decodeURIComponent(at.username)}:${decodeURIComponent(at.password)}`;
  const authorization = `Basic ${Buffer.from(name).toString('base64')}`;
  const headers = {
    host: path,
    ...(name === ':' ? {} : { 'proxy-authorization': authorization }),
  };
  const open = at.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const connection = { agent: false, timeout: DIAL_MS, ...CHECKED_TLS } as const;
    const asking = open(at, { method: 'CONNECT', path, headers, ...connection });
    asking.once('error', reject);
    asking.once('timeout', () => asking.destroy(new Error('the proxy does not answer')));
    asking.once('connect', ({ statusCode }, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      socket.allowHalfOpen = true;
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy answers ${statusCode}`));
    });
    asking.end();
  });
}

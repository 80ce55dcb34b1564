import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { messageOf } from '../../errors.ts';
import { failure, type Reach } from '../reach.ts';
import { forward } from './forward.ts';
import type { Gate } from './gate.ts';
import { hostAndPort } from './network-hosts.ts';
import { createNetworkLog, type NetworkUse } from './network-log.ts';
import { tunnel } from './tunnel.ts';

const MAX_CONNECTIONS = 64;
const MAX_HEADER_BYTES = 16 * 1024;

/** The only way out of the sandbox of one call. */
export interface NetworkProxy extends AsyncDisposable {
  /** Absolute; a Unix socket that only this user can reach. */
  readonly socketPath: string;
  /** What was reached, and what was refused. */
  uses(): readonly NetworkUse[];
}

/**
 * Opens an HTTP proxy on a Unix socket that leads to the named hosts and nowhere else. What goes through a tunnel is not looked at.
 *
 * @throws AppError `TOOL_FAILED`.
 */
export async function openNetworkProxy(hosts: readonly URL[], reach: Reach): Promise<NetworkProxy> {
  const folder = await mkdtemp(join(tmpdir(), `capstan-net-${process.pid}-`));
  const socketPath = join(folder, 'proxy');
  const log = createNetworkLog();
  const open = new Set<Duplex>();
  const hold = (socket: Duplex) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => undefined);
  };
  const gate: Gate = { allowed: new Set(hosts.map(hostAndPort)), log, reach, hold };
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', hold);
  server.on('connect', (request, socket, head) => void tunnel(request, { socket, head }, gate));
  server.on('request', (request, response) => void forward(request, response, gate));
  const close = async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await listening(server, socketPath);
  } catch (error) {
    await close();
    throw failure(reach, `its way to the network can't be made: ${messageOf(error)}`, error);
  }
  return { socketPath, uses: log.uses, [Symbol.asyncDispose]: close };
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });

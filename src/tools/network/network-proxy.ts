import { once } from 'node:events';
import { open as openFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { messageOf } from '../../contract/errors.ts';
import { makeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import { failure, type ToolCall } from '../define/call.ts';
import { forward, tunnel } from './forward.ts';
import { createGate } from './gate.ts';

const MAX_CONNECTIONS = 64;
const MAX_HEADER_BYTES = 16 * 1024;
const SOCKET = 'proxy';

export type NetworkProxy = Awaited<ReturnType<typeof openNetworkProxy>>;

/**
 * Opens the only network access of one sandboxed call: an HTTP proxy on a Unix socket that only allows the named hosts.
 * Tunnelled data is not inspected. `socketPath` is absolute, of any length, in a folder of Capstan's that no other call can
 * see.
 *
 * @throws AppError `TOOL_FAILED`.
 */
export async function openNetworkProxy(hosts: readonly URL[], call: ToolCall) {
  const { ownFolder } = call.context;
  if (ownFolder === undefined) throw failure(call, 'network access is not available here');
  const folder = makeTemporaryFolder('net', ownFolder);
  const place = await openFile(folder);
  const gate = createGate(hosts, call);
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', gate.hold);
  server.on('connect', (request, socket, head) => void tunnel(request, socket, head, gate));
  server.on('request', (request, response) => void forward(request, response, gate));
  const close = async () => {
    gate.closeAll();
    await new Promise((resolve) => server.close(resolve));
    await place.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    // The path of a socket has at most 107 bytes. This short one names the same folder.
    server.listen(`/proc/self/fd/${place.fd}/${SOCKET}`);
    await once(server, 'listening');
  } catch (error) {
    await close();
    throw failure(call, `its network proxy can't be started: ${messageOf(error)}`, error);
  }
  return { socketPath: join(folder, SOCKET), uses: gate.uses, [Symbol.asyncDispose]: close };
}

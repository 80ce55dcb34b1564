import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastifySSE } from '@fastify/sse';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { type EventStream, openEventStream } from './event-stream.ts';

const MESSAGE = 'x'.repeat(64 * 1024);
/** More than any kernel buffers for one connection. */
const MESSAGES = 1_000;

let server: FastifyInstance;
let client: IncomingMessage | undefined;
afterEach(async () => {
  client?.destroy();
  await server.close();
});

interface Watched {
  readonly stream: EventStream;
  /** Bytes that wait for the client now. */
  waiting(): number;
}

/** A stream to a client that reads nothing. */
async function openToSilentClient(): Promise<Watched> {
  server = fastify();
  await server.register(fastifySSE);
  let opened: Watched | undefined;
  server.get('/', { sse: 'only' }, async (_request, reply) => {
    const stream = openEventStream(reply, { mayContinue: () => true });
    opened = { stream, waiting: () => reply.raw.writableLength };
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const sent = get({ host: '127.0.0.1', port, headers: { accept: 'text/event-stream' } });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  client = response.on('error', () => {}).pause();
  if (!opened) throw new Error('no stream was opened');
  return opened;
}

it('a client that reads nothing is disconnected once 1 MiB is pending', async () => {
  const { stream, waiting } = await openToSilentClient();
  let most = 0;
  for (let sent = 0; sent < MESSAGES && !stream.closed.aborted; sent++) {
    stream.send(MESSAGE);
    most = Math.max(most, waiting());
    await new Promise(setImmediate);
  }
  expect(stream.closed.aborted).toBe(true);
  expect(most).toBeLessThan(1024 * 1024 + 2 * MESSAGE.length);
});

it('a client that is waited for is dropped after ten seconds, with no more than two messages waiting', async () => {
  const { stream, waiting } = await openToSilentClient();
  let most = 0;
  let waitedMs = 0;
  for (let sent = 0; sent < MESSAGES && !stream.closed.aborted; sent++) {
    stream.send(MESSAGE);
    most = Math.max(most, waiting());
    const startMs = performance.now();
    await stream.ready();
    waitedMs = performance.now() - startMs;
  }
  expect(stream.closed.aborted).toBe(true);
  expect(waitedMs).toBeGreaterThan(9_000);
  expect(waitedMs).toBeLessThan(12_000);
  expect(most).toBeLessThan(3 * MESSAGE.length);
});

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface StreamServer {
  /** For `CAPSTAN_BASE_URL`. */
  readonly baseUrl: string;
  /** When the first piece of the last answer was sent, in ms of `performance.now()`. */
  firstSentMs(): number;
  close(): void;
}

/**
 * An OpenAI-compatible server that streams one text, a piece every `gapMs`, and returns every document as `{answer}`.
 *
 * @param options `lastAfter`: what the last piece waits for.
 */
export async function startStreamServer(
  pieces: readonly string[],
  {
    gapMs = 20,
    waitMs = 0,
    lastAfter,
  }: {
    readonly gapMs?: number;
    readonly waitMs?: number;
    readonly lastAfter?: Promise<unknown>;
  } = {},
): Promise<StreamServer> {
  let firstMs = 0;
  const send = (response: ServerResponse, delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  const stream = async (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    await sleep(waitMs);
    firstMs = performance.now();
    for (const [index, content] of pieces.entries()) {
      if (index === pieces.length - 1) await lastAfter;
      send(response, { content });
      if (gapMs > 0) await sleep(gapMs);
    }
    send(response, {}, 'stop');
    response.end('data: [DONE]\n\n');
  };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const body = text === '' ? {} : JSON.parse(text);
      if (body.stream === true) return void stream(response);
      response.writeHead(200, { 'content-type': 'application/json' });
      const content = JSON.stringify({ answer: 'Done.' });
      response.end(
        JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }], usage: {} }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    firstSentMs: () => firstMs,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { messageOf } from '../../contract/errors.ts';
import { dial } from './dial.ts';
import { type Gate, NOT_NAMED } from './gate.ts';

/**
 * Answers a CONNECT request. Tunnelled data is not inspected.
 *
 * @param head Data that came after the request.
 */
export async function tunnel(
  { url = '' }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  gate: Gate,
): Promise<void> {
  const target = URL.canParse(`https://${url}`) ? new URL(`https://${url}`) : undefined;
  const refuse = (why: string) => {
    gate.refuse(target ?? url, why);
    const body = `${why}\n`;
    // Further data is read and dropped, so that the end of the stream is seen.
    socket
      .resume()
      .end(`HTTP/1.1 403 Forbidden\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  if (target === undefined || !gate.isAllowed(target)) return refuse(NOT_NAMED);
  try {
    const far = await dial(target, gate.call);
    if (socket.destroyed) return void far.destroy();
    gate.hold(far);
    // Data that came with the request is sent and counted like the rest.
    if (head.length > 0) socket.unshift(head);
    gate.count(target, 'sent', socket);
    gate.count(target, 'received', far);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    pipeInto(socket, far);
    pipeInto(far, socket);
  } catch (error) {
    refuse(messageOf(error));
  }
}

/** Each side may end its stream alone and still receives the rest of the other. If one side fails, both are closed. */
function pipeInto(one: Duplex, other: Duplex): void {
  one.pipe(other);
  one.on('error', () => other.destroy());
  one.once('close', () => {
    if (!one.readableEnded || !one.writableFinished) other.destroy();
  });
}

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { messageOf } from '../../contract/errors.ts';
import { dial } from './dial.ts';
import { type Gate, isAllowed, NOT_NAMED } from './gate.ts';
import { hostAndPort } from './network-hosts.ts';

interface Near {
  readonly socket: Duplex;
  /** What came behind the request. */
  readonly head: Buffer;
}

/** Answers a CONNECT. What goes through the tunnel is not looked at. */
export async function tunnel(
  { url = '' }: IncomingMessage,
  { socket, head }: Near,
  gate: Gate,
): Promise<void> {
  const target = URL.canParse(`https://${url}`) ? new URL(`https://${url}`) : undefined;
  const refuse = (why: string) => {
    gate.log.refused(target ? hostAndPort(target) : url, why);
    const body = `${why}\n`;
    // What is still said is read and dropped, so that the other side's end is seen.
    socket
      .resume()
      .end(`HTTP/1.1 403 Forbidden\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  if (target === undefined || !isAllowed(target, gate)) return refuse(NOT_NAMED);
  try {
    const far = await dial(target, gate.call);
    if (socket.destroyed) return void far.destroy();
    gate.hold(far);
    const count = gate.log.reached(hostAndPort(target));
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) far.write(head);
    count.sent(head.length);
    socket.on('data', (chunk: Buffer) => count.sent(chunk.length));
    far.on('data', (chunk: Buffer) => count.received(chunk.length));
    join(socket, far);
  } catch (error) {
    refuse(messageOf(error));
  }
}

/** Each side may end its sending alone, and still gets all that the other one sends. */
function join(near: Duplex, far: Duplex): void {
  near.pipe(far);
  far.pipe(near);
  endTogether(near, far);
  endTogether(far, near);
}

/** Where one breaks off, so does the other; one that was read and written to its end leaves the other to finish. */
function endTogether(one: Duplex, other: Duplex): void {
  one.on('error', () => other.destroy());
  one.once('close', () => {
    if (!one.readableEnded || !one.writableFinished) other.destroy();
  });
}

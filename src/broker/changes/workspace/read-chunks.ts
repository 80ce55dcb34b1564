import { read } from 'node:fs';
import { promisify } from 'node:util';

const readSome = promisify(read);

const CHUNK_BYTES = 256 * 1024;

/** The content of an open file from its start. No read is pending if the consumer stops early. */
export async function* readChunks(fd: number): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await readSome(fd, buffer, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

import { readSync, writeSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { answerTo, type Memory } from './answer-request.ts';
import { SIZES_BYTES, type SqlRequest } from './sql-protocol.ts';

/**
 * The query process. It reads requests from stdin, one line each, until stdin ends. For each it writes two
 * sizes, the answer as JSON, and the content of the saved file or the changed database, if there is one.
 */
// Most files are read before optimized code would have paid for its compilation. Only Node 20 has this flag.
if (process.versions.v8.startsWith('11.3.')) setFlagsFromString('--interrupt-budget=500000');

function* linesOfStdin(): Generator<string> {
  const chunk = Buffer.alloc(64 * 1024);
  let parts: Buffer[] = [];
  for (;;) {
    const read = readSync(0, chunk, 0, chunk.length, null);
    if (read === 0) return;
    // The parent sends the next request after the answer: nothing follows the end of a line.
    parts.push(Buffer.from(chunk.subarray(0, read)));
    if (chunk[read - 1] !== 10) continue;
    yield Buffer.concat(parts).toString('utf8');
    parts = [];
  }
}

const memory: Memory = {};
for (const line of linesOfStdin()) {
  const { answer, content } = answerTo(JSON.parse(line) as SqlRequest, memory);
  const text = Buffer.from(JSON.stringify(answer));
  const sizes = Buffer.alloc(SIZES_BYTES);
  sizes.writeUInt32LE(content.length, sizes.writeUInt32LE(text.length));
  for (const bytes of [sizes, text, content])
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

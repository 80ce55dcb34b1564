import { readFileSync, writeSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { answerTo } from './answer-request.ts';
import type { SqlRequest } from './sql-protocol.ts';

/**
 * The process of one query. It reads one request from stdin, and writes one line with the answer to stdout, followed by the
 * content of the saved file or the changed database, if there is one.
 */
// Most files are read before optimized code would have paid for its compilation. Only Node 20 has this flag.
if (process.versions.v8.startsWith('11.3.')) setFlagsFromString('--interrupt-budget=500000');
const { answer, content } = answerTo(JSON.parse(readFileSync(0, 'utf8')) as SqlRequest);
for (const bytes of [Buffer.from(`${JSON.stringify(answer)}\n`), content]) {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../test/web/open-dashboard.ts';
import { median } from '../measure/cpu-time.ts';
import type { BenchOptions, Row } from '../measure/row.ts';

/** From its start until a program prints its first line, in milliseconds. */
function untilPrinted(args: readonly string[]): Promise<number> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: {} });
    child.stdout.once('data', () => resolve(performance.now() - started));
  });
}

/** How long the server of the dashboard takes to start and to answer. */
export async function measureServe({ smoke }: BenchOptions): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'bench-serve-'));
  const place = { cwd: home, home };
  const times: { serve: number[]; empty: number[] } = { serve: [], empty: [] };
  try {
    for (let count = 0; count <= (smoke ? 1 : 15); count += 1) {
      const started = performance.now();
      const server = await startServer(place);
      const took = performance.now() - started;
      await ended(server.process);
      const empty = await untilPrinted(['-e', 'console.log(1)']);
      // The first start compiles and stores the code when it ends.
      if (count > 0) times.serve.push(took);
      if (count > 0) times.empty.push(empty);
    }
    return [startRow(median(times.serve), median(times.empty)), await requestRow(place, smoke)];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

type Child = Awaited<ReturnType<typeof startServer>>['process'];

const ended = (child: Child): Promise<void> =>
  new Promise((resolve) => {
    child.once('close', () => resolve());
    child.kill('SIGTERM');
  });

const startRow = (serve: number, empty: number): Row => ({
  what: '`serve` listens (× `node -e 0`)',
  goal: 4,
  gate: 5,
  value: serve / empty,
  unit: '×',
  detail: `${serve.toFixed(0)} ms on the clock; \`node\` that prints a digit: ${empty.toFixed(0)} ms`,
});

const BARE = `const server = require('node:http').createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{"ok":true}');
}).listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** How much longer a small JSON answer takes than one of plain `node:http`. */
async function requestRow(place: Parameters<typeof startServer>[0], smoke: boolean): Promise<Row> {
  const server = await startServer(place);
  const bare = spawn(process.execPath, ['-e', BARE], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {},
  });
  try {
    const [port] = (await once(bare.stdout, 'data')) as [Buffer];
    const address = `http://127.0.0.1:${String(port).trim()}/`;
    // Below the server's limit of 2,000 requests, and 1,000 a second.
    const count = 200;
    const rounds = smoke ? 1 : 12;
    const authorization = `Bearer ${server.token}`;
    const own: number[] = [];
    const plain: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const [one, other] = [
        await requests(`${server.url}/healthz`, count, { authorization }),
        await requests(address, count, { authorization }),
      ];
      if (round > 0) own.push(one);
      if (round > 0) plain.push(other);
    }
    const [ours, theirs] = [median(own), median(plain)];
    return {
      what: 'a JSON answer of the server (× `node:http` alone)',
      goal: 1.1,
      gate: 1.25,
      value: ours / theirs,
      unit: '×',
      detail: `${((ours / count) * 1_000).toFixed(0)} µs and ${((theirs / count) * 1_000).toFixed(0)} µs a request, one after another`,
    };
  } finally {
    bare.kill();
    await ended(server.process);
  }
}

/** Milliseconds for this many requests, one after another. */
async function requests(
  url: string,
  count: number,
  headers: Record<string, string>,
): Promise<number> {
  const started = performance.now();
  for (let at = 0; at < count; at += 1) {
    const answer = await fetch(url, { headers });
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    await answer.text();
  }
  return performance.now() - started;
}

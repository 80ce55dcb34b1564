import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DownloadProgress, downloadModel } from './download-model.ts';
import { MODEL_FILE, MODEL_FILES } from './model-folder.ts';

const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 31) % 251));
const model = {
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
};

let hub: Server;
let hubUrl: string;
/** The requests for the model file: the `range` header, or `all`. */
let asked: string[];
/** The content of every other file. */
let described: string;
let answer: (response: ServerResponse, from: number) => void;
let dir: string;
let to: string;

beforeAll(async () => {
  hub = createServer((request, response) => {
    if (!request.url?.endsWith(MODEL_FILE)) return void response.end(described);
    const { range } = request.headers;
    asked.push(range ?? 'all');
    answer(response, Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0));
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  hubUrl = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
});
afterAll(() => hub.close());
beforeEach(() => {
  asked = [];
  described = '{}';
  dir = mkdtempSync(join(tmpdir(), 'capstan-download-'));
  to = join(dir, 'model');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Answers like the hub, and cuts the connection after this many bytes. */
const serve =
  (most: number) =>
  (response: ServerResponse, from: number): void => {
    const rest = bytes.subarray(from);
    const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    if (from >= bytes.length) {
      response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
      return;
    }
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': rest.length,
      ...(from > 0 && range),
    });
    if (most >= rest.length) response.end(rest);
    else response.write(rest.subarray(0, most), () => setTimeout(() => response.destroy(), 100));
  };

const download = (onProgress?: (progress: DownloadProgress) => void) =>
  downloadModel({ to, hubUrl, model, onProgress });
const isWhole = () => readFileSync(join(to, MODEL_FILE)).equals(bytes);

describe('the download of a model', () => {
  test('continues after an interruption, and reports the total size', async () => {
    answer = serve(80_000);
    const seen: DownloadProgress[] = [];
    await download((progress) => void seen.push(progress));
    expect(isWhole()).toBe(true);
    expect(asked).toEqual(['all', 'bytes=80000-', 'bytes=160000-']);
    expect(seen.at(-1)).toEqual({
      file: MODEL_FILE,
      receivedBytes: bytes.length,
      totalBytes: bytes.length,
    });
    expect(readdirSync(dir)).toEqual(['model']);
  });

  test('ends if the server stays away', async () => {
    let isUp = true;
    answer = (response, from) => {
      if (isUp) serve(120_000)(response, from);
      else response.destroy();
      isUp = false;
    };
    await expect(download()).rejects.toThrow(
      'onnx/model_quantized.onnx was not received completely',
    );
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each([
    ['begins anew', (response: ServerResponse) => response.end(bytes)],
    [
      'is at its end already',
      (response: ServerResponse, from: number) => serve(bytes.length)(response, from),
    ],
  ])('accepts an answer that %s', async (_what, later) => {
    answer = serve(80_000);
    let calls = 0;
    answer = (response, from) => {
      calls += 1;
      if (calls === 1) serve(120_000)(response, from);
      else later(response, from);
    };
    await download();
    expect(isWhole()).toBe(true);
  });

  test('keeps nothing of a file with a wrong hash', async () => {
    answer = (response) => void response.end('something else');
    await expect(download()).rejects.toThrow(/has 14 bytes and SHA-256 \w+, not the pinned 200000/);
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each([
    ['the model file', bytes.length + 1, '{}', 'onnx/model_quantized.onnx is over 200000 bytes'],
    ['a description', 0, `"${'x'.repeat(4 * 1024 * 1024)}"`, 'config.json is over 4194304 bytes'],
  ])('stops when %s is larger than it may be', async (_what, length, content, message) => {
    answer = (response) => void response.end(Buffer.alloc(length));
    described = content;
    await expect(download()).rejects.toThrow(message);
    expect(asked.length).toBeLessThan(2);
  });

  test('removes what a killed download left, once it is older than a download takes', async () => {
    answer = serve(bytes.length);
    for (const name of ['model.draft-old123', 'model.draft-new123', 'model.backup'])
      mkdirSync(join(dir, name));
    const before = new Date(Date.now() - 601_000);
    for (const name of ['model.draft-old123', 'model.backup'])
      utimesSync(join(dir, name), before, before);
    await download();
    expect(readdirSync(dir).sort()).toEqual(['model', 'model.backup', 'model.draft-new123']);
  });

  test('ends whole for two that want it at the same time', async () => {
    answer = serve(bytes.length);
    await Promise.all([download(), download()]);
    for (const file of MODEL_FILES) expect(existsSync(join(to, file))).toBe(true);
    expect(readdirSync(dir)).toEqual(['model']);
  });

  test('starts again if the server does not accept the rest of a part', async () => {
    answer = (response, from) => {
      if (from > 0) response.writeHead(416).end();
      else serve(asked.length === 1 ? 120_000 : bytes.length)(response, from);
    };
    await download();
    expect(asked).toEqual(['all', 'bytes=120000-', 'all']);
    expect(isWhole()).toBe(true);
  });

  test('does not accept a truncated description', async () => {
    answer = serve(bytes.length);
    described = '{"cut';
    await expect(download()).rejects.toThrow('config.json was not received completely');
    described = '{}';
    await download();
    expect(isWhole()).toBe(true);
  });

  test('reports a download that takes too long', async () => {
    answer = () => {};
    const timed = downloadModel({ to, hubUrl, model, timeoutMs: 500 });
    await expect(timed).rejects.toThrow('it took longer than');
  });
});

import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { failedWith } from '../../contract/errors.ts';
import type { DownloadProgress } from '../download-model.ts';
import type { Embedder } from '../embedder.ts';
import { MODEL_FILES } from '../model-folder.ts';
import { openStaticEmbedder } from '../static/static-table.ts';
import { openTransformersEmbedder } from './transformers.ts';

const repoRoot = join(import.meta.dirname, '../../..');
const models = join(repoRoot, '../shared/data/models');
const hasModel = existsSync(join(models, 'Xenova/all-MiniLM-L6-v2/config.json'));

let built: string;
let workerPath: string;
const temporaries: string[] = [];
const temporary = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-minilm-'));
  temporaries.push(dir);
  return dir;
};

/** The worker beside the packages that it leaves out, so that it finds them. */
beforeAll(async () => {
  mkdirSync(join(repoRoot, 'dist'), { recursive: true });
  built = mkdtempSync(join(repoRoot, 'dist/test-worker-'));
  workerPath = join(built, 'transformers-worker.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'transformers-worker.ts')],
    outfile: workerPath,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['onnxruntime-node'],
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
    plugins: [
      {
        name: 'no images',
        setup(esbuild) {
          esbuild.onResolve({ filter: /^sharp$/ }, () => ({ path: 'sharp', namespace: 'stub' }));
          esbuild.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({
            contents: 'module.exports = function sharp() {}',
          }));
        },
      },
    ],
    logLevel: 'error',
  });
});
afterAll(() => rmSync(built, { recursive: true, force: true }));
afterEach(() => {
  for (const dir of temporaries.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const dot = (a: Float32Array, b: ArrayLike<number>): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

const openFromFolder = () =>
  openTransformersEmbedder({ workerPath, modelDir: models, cacheDir: temporary() });

describe('every embedder', () => {
  const all: [string, () => Promise<Embedder>, boolean][] = [
    ['static-en-256', () => openStaticEmbedder(join(repoRoot, 'models/static-en-256')), true],
    ['all-MiniLM-L6-v2 (skipped where ../shared/data/models is absent)', openFromFolder, hasModel],
  ];
  for (const [title, open, isThere] of all)
    test.skipIf(!isThere)(`keeps the contract: ${title}`, async () => {
      const embedder = await open();
      try {
        const texts = [
          '',
          'count the lines of a file',
          '\u0000 \ud800',
          'word '.repeat(4_000),
          '東京',
        ];
        const vectors = await embedder.embed(texts);
        expect(vectors).toHaveLength(texts.length);
        for (const vector of vectors) {
          expect(vector).toBeInstanceOf(Float32Array);
          expect([256, 384]).toContain(vector.length);
          const length = Math.sqrt(dot(vector, vector));
          expect(length === 0 || Math.abs(length - 1) < 1e-3).toBe(true);
        }
        expect(await embedder.embed(texts)).toEqual(vectors);
        expect(await embedder.embed([])).toEqual([]);
        const [first, second] = await Promise.all([
          embedder.embed(['count the lines of a file']),
          embedder.embed(['東京']),
        ]);
        expect(first).toEqual([vectors[1]]);
        expect(second).toEqual([vectors[4]]);
        expect(embedder.name).toMatch(/^[A-Za-z0-9-]+$/);
        expect(embedder.version).not.toBe('');
      } finally {
        await embedder.close();
      }
    });
});

describe.skipIf(!hasModel)(
  'all-MiniLM-L6-v2 from a folder (skipped where ../shared/data/models is absent)',
  () => {
    test('matches vectors that were computed elsewhere', async () => {
      const { vectors } = JSON.parse(readFileSync(join(models, 'golden-vectors.json'), 'utf8')) as {
        vectors: { text: string; vector: number[] }[];
      };
      const embedder = await openFromFolder();
      const mine = await embedder.embed(vectors.map(({ text }) => text));
      for (const [i, { vector }] of vectors.entries()) {
        expect(dot(mine[i] ?? new Float32Array(), vector)).toBeGreaterThan(0.98);
      }
      await embedder.close();
    });

    test('leaves the event loop free while it works', async () => {
      const embedder = await openFromFolder();
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      await embedder.embed(Array.from({ length: 30 }, (_, i) => `a task number ${i} to embed`));
      clearInterval(timer);
      expect(turns).toBeGreaterThan(5);
      await embedder.close();
    });

    test('refuses requests after it was closed, and those in flight', async () => {
      const embedder = await openFromFolder();
      const inFlight = embedder.embed(Array.from({ length: 50 }, () => 'a long queue of texts'));
      const outcome = expect(inFlight).rejects.toThrow('its process ended');
      await embedder.close();
      await outcome;
      await expect(embedder.embed(['late'])).rejects.toThrow('its process ended');
    });
  },
);

describe('all-MiniLM-L6-v2 that is not to be had', () => {
  test('names the files that the given folder lacks', async () => {
    const open = openTransformersEmbedder({ workerPath, modelDir: temporary(), cacheDir: '/none' });
    await expect(open).rejects.toThrow(/lacks config\.json.*CAPSTAN_MODEL_DIR/s);
  });

  test("reports a model that can't be read", async () => {
    const dir = temporary();
    mkdirSync(join(dir, 'onnx'));
    for (const file of MODEL_FILES) writeFileSync(join(dir, file), '{}');
    const open = openTransformersEmbedder({ workerPath, modelDir: dir, cacheDir: '/none' });
    const error = await open.catch((thrown: unknown) => thrown);
    expect(failedWith(error, 'EMBEDDER_UNAVAILABLE')).toBe(true);
    expect(String(error)).toContain('CAPSTAN_EMBEDDER=static');
  });

  test('is started again by the next text after its process died', async () => {
    const mortal = join(built, 'mortal.cjs');
    writeFileSync(
      mortal,
      `process.send({ kind: 'ready', dimensions: 2 });
      process.on('message', ({ id, texts }) => {
        if (texts[0] === 'die') process.exit(1);
        process.send({ kind: 'vectors', id, vectors: [new Float32Array([1, 0])] });
      });`,
    );
    const dir = temporary();
    mkdirSync(join(dir, 'onnx'));
    for (const file of MODEL_FILES) writeFileSync(join(dir, file), '{}');
    const options = { workerPath: mortal, modelDir: dir, cacheDir: '/none' };
    const embedder = await openTransformersEmbedder(options);
    await expect(embedder.embed(['die'])).rejects.toThrow('its process ended');
    expect(await embedder.embed(['live'])).toEqual([new Float32Array([1, 0])]);
    await embedder.close();
    await expect(embedder.embed(['late'])).rejects.toThrow('its process ended');
  });

  test('ends a process that never gets ready', async () => {
    const hangs = join(built, 'hangs.cjs');
    writeFileSync(hangs, 'setInterval(() => {}, 1000);');
    const dir = temporary();
    mkdirSync(join(dir, 'onnx'));
    for (const file of MODEL_FILES) writeFileSync(join(dir, file), '{}');
    const open = openTransformersEmbedder({
      workerPath: hangs,
      modelDir: dir,
      cacheDir: '/none',
      timeoutMs: 100,
    });
    await expect(open).rejects.toThrow('no answer within 100 ms');
  });
});

describe('the download', () => {
  let hub: Server;
  let hubUrl: string;
  let answer: (path: string) => { status: number; body: Buffer; location?: string };
  const asked: string[] = [];

  beforeAll(async () => {
    hub = createServer((request, response) => {
      asked.push(request.url ?? '');
      const { status, body, location } = answer(request.url ?? '');
      response.writeHead(status, {
        'content-length': body.length,
        ...(location !== undefined && { location }),
      });
      response.end(body);
    });
    await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
    hubUrl = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  });
  afterAll(() => hub.close());
  afterEach(() => asked.splice(0));

  const open = (cacheDir: string, sha256: string, seen?: DownloadProgress[], bytes = 2) =>
    openTransformersEmbedder({
      workerPath,
      cacheDir,
      hubUrl,
      model: { bytes, sha256 },
      onProgress: (progress) => void seen?.push(progress),
    });

  test('is refused and leaves nothing behind if the model has another hash', async () => {
    answer = () => ({ status: 200, body: Buffer.from('{}') });
    const cache = temporary();
    await expect(open(cache, 'f'.repeat(64))).rejects.toThrow('not the pinned');
    expect(readdirSync(cache)).toEqual([]);
  });

  test('names the host and its answer', async () => {
    answer = () => ({ status: 503, body: Buffer.from('busy') });
    await expect(open(temporary(), 'f'.repeat(64))).rejects.toThrow(
      /127\.0\.0\.1:\d+ answered 503 for config\.json.*HTTPS_PROXY/s,
    );
  });

  test('stops at a redirect loop', async () => {
    answer = (path) => ({ status: 302, body: Buffer.alloc(0), location: path });
    await expect(open(temporary(), 'f'.repeat(64))).rejects.toThrow('redirected more than');
    expect(asked.length).toBeLessThan(10);
  });

  test.skipIf(!hasModel)(
    'is created once, with progress, and read from the cache afterwards (skipped where ../shared/data/models is absent)',
    async () => {
      const folder = join(models, 'Xenova/all-MiniLM-L6-v2');
      const onnx = readFileSync(join(folder, 'onnx/model_quantized.onnx'));
      const sha256 = createHash('sha256').update(onnx).digest('hex');
      answer = (path) => {
        const file = MODEL_FILES.find((name) => path.endsWith(`/${name}`));
        if (file === undefined) return { status: 404, body: Buffer.alloc(0) };
        return path.startsWith('/moved')
          ? { status: 200, body: readFileSync(join(folder, file)) }
          : { status: 302, body: Buffer.alloc(0), location: `/moved/${file}` };
      };
      const cache = temporary();
      const seen: DownloadProgress[] = [];
      const first = await open(cache, sha256, seen, onnx.length);
      await first.close();
      expect(seen.at(-1)).toMatchObject({ receivedBytes: onnx.length, totalBytes: onnx.length });
      const questions = asked.length;
      const second = await open(cache, sha256, undefined, onnx.length);
      expect(second.version).toBe(sha256.slice(0, 16));
      expect(asked).toHaveLength(questions);
      await second.close();
      const [made = ''] = readdirSync(join(cache, 'models'));
      copyFileSync(
        join(cache, 'models', made, 'config.json'),
        join(cache, 'models', made, 'onnx/model_quantized.onnx'),
      );
      const third = await open(cache, sha256, undefined, onnx.length);
      expect(asked.length).toBeGreaterThan(questions);
      await third.close();
    },
  );
});

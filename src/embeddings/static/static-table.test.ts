import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { failedWith } from '../../contract/errors.ts';
import { splitWords } from './bert-words.ts';
import { openStaticEmbedder } from './static-table.ts';

const repoRoot = join(import.meta.dirname, '../../..');
const table = join(repoRoot, 'models/static-en-256');
const golden = join(repoRoot, '../shared/data/models/static-en-256/golden.json');

const made: string[] = [];
const temporary = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-table-'));
  made.push(dir);
  return dir;
};
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const dot = (a: Float32Array, b: ArrayLike<number>): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

describe.skipIf(!existsSync(golden))(
  'the golden vectors of static-en-256 (skipped where ../shared/data/models is absent)',
  () => {
    interface Golden {
      text: string;
      ids: number[];
      vector: number[];
    }
    const cases = existsSync(golden)
      ? (JSON.parse(readFileSync(golden, 'utf8')) as Golden[]).filter((c) => c.text.length > 0)
      : [];

    test.each(cases)('are met for $text', async ({ text, ids, vector }) => {
      const embedder = await openStaticEmbedder(table);
      expect(embedder.pieceIds(text)).toEqual(ids);
      const [mine = new Float32Array()] = await embedder.embed([text]);
      if (ids.length > 0) expect(dot(mine, vector)).toBeGreaterThan(0.99999);
      else expect(mine.every((value) => value === 0)).toBe(true);
      await embedder.close();
    });
  },
);

describe('the static table', () => {
  test('puts a rewording nearer than another subject', async () => {
    const embedder = await openStaticEmbedder(table);
    const [task, near, far] = (await embedder.embed([
      'find the slowest requests in the access log',
      'which requests in the server log took longest',
      'draw a portrait of a cat in oil',
    ])) as [Float32Array, Float32Array, Float32Array];
    expect(dot(task, near)).toBeGreaterThan(dot(task, far) + 0.2);
    await embedder.close();
  });

  test('returns the same vector again after its cached rows were released', async () => {
    const embedder = await openStaticEmbedder(table);
    const [before] = await embedder.embed(['slow requests']);
    const words = readFileSync(join(table, 'vocab.txt'), 'utf8').split('\n').slice(2_000, 12_000);
    await embedder.embed(words);
    expect((await embedder.embed(['slow requests']))[0]).toEqual(before);
    await embedder.close();
  });

  test.each([
    ['a missing folder', (dir: string) => rmSync(dir, { recursive: true })],
    ['a table cut short', (dir: string) => writeFileSync(join(dir, 'table.i8'), 'short')],
    ['a description that is no JSON', (dir: string) => writeFileSync(join(dir, 'table.json'), '{')],
    ['a row count of zero', (dir: string) => writeFileSync(join(dir, 'table.json'), '{"rows":0}')],
  ])('is refused with its fix: %s', async (_title, breakIt) => {
    const dir = temporary();
    cpSync(table, dir, { recursive: true });
    breakIt(dir);
    const error = await openStaticEmbedder(dir).catch((thrown: unknown) => thrown);
    expect(failedWith(error, 'EMBEDDER_UNAVAILABLE')).toBe(true);
    expect(String(error)).toContain('Install Capstan again');
  });

  test('is refused at its first text when the vocabulary has another length', async () => {
    const dir = temporary();
    cpSync(table, dir, { recursive: true });
    writeFileSync(join(dir, 'vocab.txt'), 'one\ntwo\n');
    const embedder = await openStaticEmbedder(dir);
    await expect(embedder.embed(['one'])).rejects.toThrow('2 lines');
    await embedder.close();
  });
});

describe('words are split like in uncased BERT', () => {
  test.each([
    ['Foo_bar-baz 1.2', ['foo', '_', 'bar', '-', 'baz', '1', '.', '2']],
    ['Café ÉCOLE', ['cafe', 'ecole']],
    ['東京 tower', ['東', '京', 'tower']],
    ['zero\u200bwidth', ['zerowidth']],
    ['«quoted»', ['«', 'quoted', '»']],
    ['\u0000\t\n', []],
  ])('%s', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });
});

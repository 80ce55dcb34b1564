import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toFtsQuery } from '../db/fts-query.ts';
import { type Db, openDatabase } from '../db/open-database.ts';
import type { Embedder } from '../embeddings/embedder.ts';
import { openStaticEmbedder } from '../embeddings/static-table.ts';
import type { SearchDocument } from './search-document.ts';
import { openSearchIndex } from './search-index.ts';

let dir: string;
let db: Db;
let table: Embedder;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-index-'));
  db = openDatabase(join(dir, 'capstan.db'));
  table = await openStaticEmbedder(join(import.meta.dirname, '../../models/static-en-256'));
});
afterEach(async () => {
  await table.close();
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

const document = (hash: string, ...texts: string[]): SearchDocument => ({
  hash,
  parts: texts.map((text, i) => ({ label: `part ${i + 1}`, text })),
});

/** The static table under another name or version, counting what it embeds. */
function counting(changes: Partial<Embedder> = {}) {
  const texts: string[] = [];
  const embedder: Embedder = {
    name: table.name,
    version: table.version,
    dimensions: table.dimensions,
    close: async () => {},
    ...changes,
    embed: (asked) => {
      texts.push(...asked);
      return table.embed(asked);
    },
  };
  return { embedder, texts };
}

const logs = document('logs', 'Analyses access logs.', 'find the slowest requests', 'group errors');
const cats = document('cats', 'Paints pictures of cats.', 'draw a kitten', 'an oil portrait');

const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

describe('the search index', () => {
  test('scores by ½ (best part + mean) + 0.15 · share of the best BM25', async () => {
    const index = openSearchIndex(db, table);
    await index.add([logs, cats]);
    const query = 'the slowest requests of the server';
    const hits = await index.search(query, ['logs', 'cats']);
    expect(hits.map(({ hash, part }) => [hash, part])).toEqual([
      ['logs', 'part 2'],
      ['cats', 'part 3'],
    ]);
    const [q = new Float32Array()] = await table.embed([query]);
    for (const hit of hits) {
      const parts = await table.embed((hit.hash === 'logs' ? logs : cats).parts.map((p) => p.text));
      const sum = parts.reduce((a, b) => a.map((x, i) => x + (b[i] ?? 0)));
      const best = Math.max(...parts.map((part) => cosine(part, q)));
      const mean = cosine(sum, q) / Math.sqrt(cosine(sum, sum));
      expect(hit.best).toBeCloseTo(best, 4);
      expect(hit.mean).toBeCloseTo(mean, 4);
      expect(hit.score).toBeCloseTo((best + mean) / 2 + 0.15 * hit.bm25, 4);
    }
    expect(hits.map(({ bm25 }) => bm25)).toEqual([1, 0]);
  });

  test('embeds a document once, also for a later process, and a changed one again', async () => {
    const first = counting();
    await openSearchIndex(db, first.embedder).add([logs, cats]);
    expect(first.texts).toHaveLength(6);
    const second = counting();
    const index = openSearchIndex(db, second.embedder);
    await index.add([logs, cats, document('new', 'something else')]);
    expect(second.texts).toEqual(['something else']);
    expect((await index.search('kitten', ['logs', 'cats', 'new']))[0]?.hash).toBe('cats');
  });

  test.each([
    ['name', { name: 'other' }],
    ['version', { version: '2' }],
  ])('never mixes vectors of embedders that differ by %s', async (_what, changes) => {
    await openSearchIndex(db, table).add([logs]);
    const other = counting(changes);
    const index = openSearchIndex(db, other.embedder);
    const before = await index.search('slowest requests', ['logs']);
    expect(before[0]).toMatchObject({ best: 0, mean: 0 });
    await index.add([logs]);
    expect(other.texts).toHaveLength(4);
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE sql LIKE '%USING vec0%'").all();
    expect(tables).toHaveLength(2);
    expect(db.prepare('SELECT count(*) FROM search_texts').pluck().get()).toBe(1);
  });

  test('searches only among the documents that are named', async () => {
    const index = openSearchIndex(db, table);
    await index.add([logs, cats]);
    const hits = await index.search('the slowest requests', ['cats']);
    expect(hits.map(({ hash }) => hash)).toEqual(['cats']);
    expect(await index.search('anything', [])).toEqual([]);
  });

  test('serves two connections that add the same documents at the same time', async () => {
    const other = openDatabase(join(dir, 'capstan.db'));
    const one = openSearchIndex(db, table);
    const two = openSearchIndex(other, table);
    await Promise.all([one.add([logs, cats]), two.add([cats, logs])]);
    expect(db.prepare('SELECT count(*) FROM search_documents').pluck().get()).toBe(2);
    expect(await two.search('kitten', ['logs', 'cats'])).toEqual(
      await one.search('kitten', ['logs', 'cats']),
    );
    other.close();
  });

  test('ranks a right document first among hundreds', async () => {
    const index = openSearchIndex(db, table);
    const many = Array.from({ length: 300 }, (_, i) =>
      document(`d${i}`, `Handles topic number ${i}.`, `task ${i * 7}`, `example of subject ${i}`),
    );
    await index.add([...many, logs, cats]);
    const hashes = [...many, logs, cats].map(({ hash }) => hash);
    expect((await index.search('paint my cat', hashes))[0]?.hash).toBe('cats');
    expect((await index.search('slow requests in the access log', hashes))[0]?.hash).toBe('logs');
  });

  test.each([
    ['nothing', ''],
    ['no known word', '☃ \u0000 \ud800'],
    ['operators of the query language', '"slowest" AND NOT requests* OR (NEAR col: ^x) -y "'],
    ['quotes without end', '""""""\'; DROP TABLE search_texts; --'],
    ['very much text', 'slowest requests '.repeat(50_000)],
  ])('takes any text as a query: %s', async (_title, text) => {
    const index = openSearchIndex(db, table);
    await index.add([logs, cats]);
    const hits = await index.search(text, ['logs', 'cats']);
    expect(hits).toHaveLength(2);
    for (const { score } of hits) expect(Number.isFinite(score)).toBe(true);
  });

  test('indexes a document without a known word', async () => {
    const index = openSearchIndex(db, table);
    await index.add([document('odd', '☃', ''), logs]);
    expect((await index.search('slowest', ['odd', 'logs']))[0]?.hash).toBe('logs');
  });
});

test('a full-text query quotes each word, once, up to 64 of them', () => {
  expect(toFtsQuery('Group the "errors" by the end-point')).toBe(
    '"group" OR "errors" OR "end" OR "point"',
  );
  const words = Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ');
  expect(toFtsQuery(words).split(' OR ')).toHaveLength(64);
});

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryDatabase } from '../../../../test/setup/temporary-database.ts';
import { type Db, openDatabase } from '../../../db/open-database.ts';
import { toFtsQuery } from '../../../db/sql/fts-query.ts';
import type { Embedder } from '../../../embeddings/embedder.ts';
import { withOtherScripts } from '../../../embeddings/other-scripts.ts';
import { openStaticEmbedder } from '../../../embeddings/static/static-table.ts';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import type { SearchDocument } from './search-document.ts';
import { openSearchIndex } from './search-index.ts';

let dir: string;
let db: Db;
let table: Embedder;
beforeEach(async () => {
  ({ dir, db } = temporaryDatabase());
  table = await openStaticEmbedder(join(import.meta.dirname, '../../../../models/static-en-256'));
});
afterEach(async () => {
  await table.close();
});

const document = (owner: string, ...texts: string[]): SearchDocument => ({
  owner,
  hash: sha256(`${owner}\n${texts.join('\n')}`),
  parts: texts.map((text, i) => ({ kind: 'part', label: `part ${i + 1}`, text })),
});

/** The static table under another name or version, with a count of the embedded texts. */
function counting(changes: Partial<Embedder> = {}) {
  const texts: string[] = [];
  const embedder: Embedder = {
    name: table.name,
    version: table.version,
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
  test('compares a task with the mean of the parts in its script', async () => {
    const index = openSearchIndex(db, withOtherScripts(table));
    const english = document('english', 'find the slowest requests', 'group errors');
    const both = document('both', 'find the slowest requests', 'group errors', 'Найди ошибки');
    await index.hold([english, both]);
    const meansOf = async (query: string) => {
      const hits = await index.search(query, ['english', 'both']);
      return Object.fromEntries(hits.map(({ owner, mean }) => [owner, mean]));
    };
    const means = await meansOf('slow requests');
    expect(means['both']).toBeCloseTo(means['english'] ?? 0);
    expect((await meansOf('Найди ошибки'))['both']).toBeCloseTo(1);
  });

  test('scores by ½ (best part + mean) + 0.1 · share of the best BM25 + 0.4 · share of all that could be had', async () => {
    const index = openSearchIndex(db, table);
    await index.hold([logs, cats, ...['ships', 'bread'].map((text) => document(text, text))]);
    const query = 'the slowest requests of the server';
    const hits = await index.search(query, ['logs', 'cats']);
    expect(hits.map(({ owner, part }) => [owner, part])).toEqual([
      ['logs', 'part 2'],
      ['cats', 'part 3'],
    ]);
    const [q = new Float32Array()] = await table.embed([query]);
    for (const hit of hits) {
      const parts = await table.embed(
        (hit.owner === 'logs' ? logs : cats).parts.map((p) => p.text),
      );
      const sum = parts.reduce((a, b) => a.map((x, i) => x + (b[i] ?? 0)));
      const best = Math.max(...parts.map((part) => cosine(part, q)));
      const mean = cosine(sum, q) / Math.sqrt(cosine(sum, sum));
      expect(hit.best).toBeCloseTo(best, 4);
      expect(hit.mean).toBeCloseTo(mean, 4);
      expect(hit.score).toBeCloseTo((best + mean) / 2 + 0.1 * hit.bm25 + 0.4 * hit.coverage, 4);
    }
    expect(hits[0]).toMatchObject({ bm25: 1 });
    expect(hits[1]?.bm25).toBeLessThan(0.2);
  });

  test('embeds a document once, also for a later process, and a changed one again', async () => {
    const first = counting();
    await openSearchIndex(db, first.embedder).hold([logs, cats]);
    expect(first.texts).toHaveLength(6);
    const second = counting();
    const index = openSearchIndex(db, second.embedder);
    await index.hold([logs, cats, document('new', 'something else')]);
    expect(second.texts).toEqual(['something else']);
    expect((await index.search('kitten', ['logs', 'cats', 'new']))[0]?.owner).toBe('cats');
  });

  test.each([
    ['name', { name: 'other' }],
    ['version', { version: '2' }],
  ])('never mixes vectors of embedders that differ by %s', async (_what, changes) => {
    await openSearchIndex(db, table).hold([logs]);
    const other = counting(changes);
    const index = openSearchIndex(db, other.embedder);
    expect(await index.search('slowest requests', ['logs'])).toEqual([]);
    await index.hold([logs]);
    expect(other.texts).toHaveLength(4);
    const embedders = db.prepare('SELECT DISTINCT embedder, version FROM search_vectors').all();
    expect(embedders).toHaveLength(2);
    expect(db.prepare('SELECT count(*) FROM search_texts').pluck().get()).toBe(1);
  });

  test('embeds only the new parts of a changed document, and removes the old ones', async () => {
    const { embedder, texts } = counting();
    const index = openSearchIndex(db, embedder);
    await index.hold([logs, cats]);
    texts.splice(0);
    const changed = document('logs', 'Analyses access logs.', 'find the slowest requests', 'parse');
    await index.hold([changed, cats]);
    expect(texts).toEqual(['parse']);
    expect((await index.search('group errors', ['logs', 'cats']))[0]?.bm25).toBe(0);
    const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    expect([count('search_texts'), count('search_parts'), count('search_vectors')]).toEqual([
      2, 8, 8,
    ]);
    expect(count('search_vectors WHERE length(embedding) > 0')).toBe(8);
  });

  test('reports progress while it embeds documents', async () => {
    const seen: string[] = [];
    const index = openSearchIndex(db, table);
    const many = Array.from({ length: 120 }, (_, i) => document(`d${i}`, `topic ${i}`));
    await index.hold(many, ({ done, total }) => seen.push(`${done}/${total}`));
    await index.hold(many, () => seen.push('again'));
    expect(seen).toEqual(['0/120', '100/120', '120/120']);
  });

  test('searches only among the documents that are named', async () => {
    const index = openSearchIndex(db, table);
    await index.hold([logs, cats]);
    const hits = await index.search('the slowest requests', ['cats']);
    expect(hits.map(({ owner }) => owner)).toEqual(['cats']);
    expect(await index.search('anything', [])).toEqual([]);
  });

  test('serves two connections that add the same documents at the same time', async () => {
    const other = openDatabase(join(dir, 'capstan.db'));
    const one = openSearchIndex(db, table);
    const two = openSearchIndex(other, table);
    await Promise.all([one.hold([logs, cats]), two.hold([cats, logs])]);
    expect(db.prepare('SELECT count(*) FROM search_documents').pluck().get()).toBe(2);
    expect(await two.search('kitten', ['logs', 'cats'])).toEqual(
      await one.search('kitten', ['logs', 'cats']),
    );
    other.close();
  });

  test('finds its documents while another connection replaces them', async () => {
    const other = openDatabase(join(dir, 'capstan.db'));
    const one = openSearchIndex(db, table);
    const two = openSearchIndex(other, table);
    const learnt = document('cats', 'Paints pictures of cats.', 'draw a kitten', 'sketch a tiger');
    await Promise.all([one.hold([cats]), two.hold([learnt])]);
    for (const index of [one, two])
      expect((await index.search('draw a kitten', ['cats']))[0]?.best).toBeCloseTo(1);
    other.close();
  });

  test('finds a document that another connection replaced since the last search', async () => {
    const other = openDatabase(join(dir, 'capstan.db'));
    const one = openSearchIndex(db, table);
    await one.hold([cats, logs]);
    await one.search('draw a kitten', ['cats', 'logs']);
    const learnt = document('cats', 'Paints pictures of cats.', 'draw a kitten', 'sketch a tiger');
    await openSearchIndex(other, table).hold([learnt]);
    const [hit] = await one.search('sketch a tiger', ['cats', 'logs']);
    expect(hit?.best).toBeCloseTo(1);
    expect(hit?.mean).toBeGreaterThan(0.5);
    other.close();
  });

  test('compares a task with every one of thousands of vectors', async () => {
    const index = openSearchIndex(db, table);
    const words = ['cat', 'log', 'request', 'picture', 'error', 'server', 'bread', 'ship', 'river'];
    const many = Array.from({ length: 2_100 }, (_, i) =>
      document(`d${i}`, `${words[i % 9]} ${words[(i >> 3) % 9]} ${i}`),
    );
    await index.hold(many);
    const vectors = db.prepare('SELECT count(*) FROM search_vectors').pluck().get();
    expect(vectors).toBeGreaterThan(4_096);
    const owners = many.map(({ owner }) => owner);
    const hits = await index.search('slow requests', owners, many.length);
    const [query = new Float32Array()] = await table.embed(['slow requests']);
    const texts = await table.embed(many.map(({ parts }) => parts[0]?.text ?? ''));
    const cosines = new Map(owners.map((owner, i) => [owner, cosine(query, texts[i] ?? query)]));
    expect(hits).toHaveLength(many.length);
    const off = hits.map(({ owner, best }) => Math.abs(best - (cosines.get(owner) ?? 9)));
    expect(Math.max(...off)).toBeLessThan(1e-5);
  });

  test('ranks a right document first among hundreds', async () => {
    const index = openSearchIndex(db, table);
    const many = Array.from({ length: 300 }, (_, i) =>
      document(`d${i}`, `Handles topic number ${i}.`, `task ${i * 7}`, `example of subject ${i}`),
    );
    await index.hold([...many, logs, cats]);
    const owners = [...many, logs, cats].map(({ owner }) => owner);
    expect((await index.search('paint my cat', owners))[0]?.owner).toBe('cats');
    expect((await index.search('slow requests in the access log', owners))[0]?.owner).toBe('logs');
  });

  test.each([
    ['nothing', ''],
    ['no known word', '☃ \u0000 \ud800'],
    ['operators of the query language', '"slowest" AND NOT requests* OR (NEAR col: ^x) -y "'],
    ['quotes without end', '""""""\'; DROP TABLE search_texts; --'],
    ['very much text', 'slowest requests '.repeat(50_000)],
  ])('accepts any text as a query: %s', async (_title, text) => {
    const index = openSearchIndex(db, table);
    await index.hold([logs, cats]);
    const hits = await index.search(text, ['logs', 'cats']);
    expect(hits).toHaveLength(2);
    for (const { score } of hits) expect(Number.isFinite(score)).toBe(true);
  });

  test('indexes a document without a known word', async () => {
    const index = openSearchIndex(db, table);
    await index.hold([document('odd', '☃', ''), logs]);
    expect((await index.search('slowest', ['odd', 'logs']))[0]?.owner).toBe('logs');
  });
});

test('a full-text query quotes each word, once, up to 64 of them', () => {
  expect(toFtsQuery('Group the "errors" by the end-point')).toBe(
    '"group" OR "errors" OR "end" OR "point"',
  );
  const words = Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ');
  expect(toFtsQuery(words).split(' OR ')).toHaveLength(64);
});

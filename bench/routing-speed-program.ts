import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, openDatabase } from '../src/db/open-database.ts';
import type { Embedder } from '../src/embeddings/embedder.ts';
import { createFlatVectors } from '../src/embeddings/flat-vectors.ts';
import { openStaticEmbedder } from '../src/embeddings/static-table.ts';
import { decideRoute } from '../src/registry/search/route.ts';
import { toSearchDocument } from '../src/registry/search/search-document.ts';
import { openSearchIndex, type SearchIndex } from '../src/registry/search/search-index.ts';
import { thresholdsFor } from '../src/registry/search/thresholds.ts';

/** What routing costs with so many capsules. */
export interface RoutingCosts {
  /** Vectors: of parts, and one mean a capsule. */
  readonly rows: number;
  readonly indexMs: number;
  /** Reading everything into memory, as the first search of a process does. */
  readonly holdMs: number;
  /** A whole decision, the task's embedding included. */
  readonly decisionMs: number;
  /** The decision without the embedding. */
  readonly searchMs: number;
  /** sqlite-vec's five nearest of all rows. */
  readonly vectorQueryMs: number;
  /** Share of sqlite-vec's five nearest that the search in memory finds. */
  readonly recallAt5: number;
}

const QUERIES = 200;
const model = join(process.cwd(), 'models/static-en-256');
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function timeEach(count: number, body: (at: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const start = performance.now();
    await body(at);
    times.push(performance.now() - start);
  }
  return median(times);
}

/** English words, frequent ones often: text as long and as mixed as descriptions and tasks are. */
function createWriter() {
  const vocabulary = readFileSync(join(model, 'vocab.txt'), 'utf8');
  const words = vocabulary.split('\n').filter((line) => /^[a-z]{3,}$/.test(line));
  let state = 42;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const word = () => words[Math.floor(words.length ** random())] ?? '';
  return (length: number) => Array.from({ length }, word).join(' ');
}

function documentsOf(capsules: number, write: (length: number) => string) {
  return Array.from({ length: capsules }, (_, at) =>
    toSearchDocument(`capsule-${at}`, {
      name: write(2),
      description: write(15),
      tools: [{ name: write(1), description: write(8) }],
      examples: [write(8), write(8)],
    }),
  );
}

/** An embedder that has the answer already: what is left is the search. */
function embedderOf(embedder: Embedder, known: ReadonlyMap<string, Float32Array>): Embedder {
  return {
    ...embedder,
    embed: async (texts) => texts.map((text) => known.get(text) ?? new Float32Array(256)),
  };
}

async function measureDecisions(index: SearchIndex, owners: readonly string[], texts: string[]) {
  const measure = { embedder: 'static-en-256', ...thresholdsFor('static-en-256') };
  const decide = async (text: string) => {
    const hits = await index.search(text, owners);
    const ranked = hits.map((hit) => ({ capsule: capsuleOf(hit.owner), hit }));
    return decideRoute(ranked, measure, { model: true });
  };
  await timeEach(texts.length, (at) => decide(texts[at] ?? ''));
  return timeEach(texts.length, (at) => decide(texts[at] ?? ''));
}

const capsuleOf = (id: string) =>
  ({ id, manifest: { task_kinds: [] } }) as unknown as Parameters<
    typeof decideRoute
  >[0][number]['capsule'];

/** The five nearest rows, by sqlite-vec and by the block in memory. */
async function compareNearest(db: Db, queries: readonly Float32Array[]) {
  const table = 'vectors_of_static_en_256_1_256';
  const nearest = db
    .prepare<[Buffer], number>(`SELECT rowid FROM ${table} WHERE embedding MATCH ? AND k = 5`)
    .pluck();
  const blob = (vector: Float32Array) => Buffer.from(vector.buffer);
  const found = queries.map((query) => nearest.all(blob(query)));
  const few = Math.min(queries.length, 50);
  const vectorQueryMs = await timeEach(few, (at) =>
    nearest.all(blob(queries[at] ?? new Float32Array())),
  );
  const flat = createFlatVectors(256);
  const ids: number[] = [];
  const rows = db.prepare<[], [number, Buffer]>(`SELECT rowid, embedding FROM ${table}`).raw();
  for (const [id, embedding] of rows.iterate()) {
    ids[flat.add(new Float32Array(Uint8Array.from(embedding).buffer))] = id;
  }
  const hits = queries.map((query, at) => {
    const cosines = Array.from(flat.dots(query));
    const best = cosines.map((_, row) => row).sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0));
    return best.slice(0, 5).filter((row) => found[at]?.includes(ids[row] ?? -1)).length;
  });
  const all = hits.reduce((sum, count) => sum + count, 0);
  return { rows: ids.length, vectorQueryMs, recallAt5: all / (5 * queries.length) };
}

async function measure(capsules: number): Promise<RoutingCosts> {
  const embedder = await openStaticEmbedder(model);
  const write = createWriter();
  const documents = documentsOf(capsules, write);
  const owners = documents.map(({ owner }) => owner);
  const texts = Array.from({ length: QUERIES }, () => write(12));
  const vectors = await embedder.embed(texts);
  const dir = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const db = openDatabase(join(dir, 'capstan.db'));
  try {
    const index = openSearchIndex(db, embedder);
    const indexed = performance.now();
    await index.hold(documents);
    const indexMs = performance.now() - indexed;

    const holding = performance.now();
    await index.search(texts[0] ?? '', owners);
    const holdMs = performance.now() - holding;
    const decisionMs = await measureDecisions(index, owners, texts);

    const known = new Map(texts.map((text, at) => [text, vectors[at] ?? new Float32Array()]));
    const alone = openSearchIndex(db, embedderOf(embedder, known));
    await alone.hold(documents);
    const searchMs = await measureDecisions(alone, owners, texts);
    const nearest = await compareNearest(db, vectors.slice(0, capsules > 5_000 ? 20 : QUERIES));
    return { indexMs, holdMs, decisionMs, searchMs, ...nearest };
  } finally {
    db.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  console.log(JSON.stringify(await measure(Number(process.argv[2] ?? 1_000))));
}

void main();

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/open-database.ts';
import { openStaticEmbedder } from '../../src/embeddings/static/static-table.ts';
import { toSearchDocument } from '../../src/registry/search/index/search-document.ts';
import { openSearchIndex, type SearchIndex } from '../../src/registry/search/index/search-index.ts';
import { decideRoute, thresholdsFor } from '../../src/registry/search/route.ts';
import { repetitions } from '../measure/row.ts';

/** The cost of routing. */
export interface RoutingCosts {
  /** Vectors: of parts, and one mean per capsule. */
  readonly vectors: number;
  readonly indexMs: number;
  /** The first search of a process. */
  readonly firstMs: number;
  /** A whole decision, including the task's embedding. */
  readonly decisionMs: number;
}

const CAPSULES = 1_000;
const QUERIES = repetitions(100, 20);
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

/** English words, frequent ones more often: texts as long and as varied as descriptions and tasks. */
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

function documentsOf(write: (length: number) => string) {
  return Array.from({ length: CAPSULES }, (_, at) =>
    toSearchDocument(`capsule-${at}`, {
      name: write(2),
      description: write(15),
      tools: [{ name: write(1), description: write(8) }],
      examples: [write(8), write(8)],
    }),
  );
}

async function measureDecisions(index: SearchIndex, owners: readonly string[], texts: string[]) {
  const measure = { embedder: 'static-en-256', ...thresholdsFor('static-en-256') };
  const decide = async (text: string) => {
    const hits = await index.search(text, owners);
    const ranked = hits.map((hit) => ({ capsule: capsuleOf(hit.owner), hit }));
    return decideRoute(ranked, measure, { model: true });
  };
  return timeEach(texts.length, (at) => decide(texts[at] ?? ''));
}

const capsuleOf = (id: string) =>
  ({ id, manifest: { task_kinds: [] } }) as unknown as Parameters<
    typeof decideRoute
  >[0][number]['capsule'];

async function measure(): Promise<RoutingCosts> {
  const embedder = await openStaticEmbedder(model);
  const write = createWriter();
  const documents = documentsOf(write);
  const owners = documents.map(({ owner }) => owner);
  const texts = Array.from({ length: QUERIES }, () => write(12));
  const dir = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const db = openDatabase(join(dir, 'capstan.db'));
  try {
    const index = openSearchIndex(db, embedder);
    const indexed = performance.now();
    await index.hold(documents);
    const indexMs = performance.now() - indexed;

    const started = performance.now();
    await index.search(texts[0] ?? '', owners);
    const firstMs = performance.now() - started;
    const decisionMs = await measureDecisions(index, owners, texts);
    const count = db.prepare<[], number>('SELECT count(*) FROM search_vectors').pluck();
    return { vectors: count.get() ?? 0, indexMs, firstMs, decisionMs };
  } finally {
    db.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  console.log(JSON.stringify(await measure()));
}

void main();

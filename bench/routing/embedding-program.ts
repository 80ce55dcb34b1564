import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/open-database.ts';
import { openStaticEmbedder } from '../../src/embeddings/static/static-table.ts';
import { openSearchIndex } from '../../src/registry/search/index/search-index.ts';

const table = join(process.cwd(), 'models/static-en-256');
const now = () => performance.now();
const perRound = async (rounds: number, body: (round: number) => Promise<unknown>) => {
  const start = now();
  for (let round = 0; round < rounds; round++) await body(round);
  return (now() - start) / rounds;
};
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;

async function measure(): Promise<void> {
  const opened = now();
  const embedder = await openStaticEmbedder(table);
  await embedder.embed(['Find the ten slowest requests in examples/access.log']);
  const loadMs = now() - opened;

  const words =
    'find count group filter sort read write sum the slow error of in by and log file'.split(' ');
  const textOf = (seed: number) =>
    Array.from({ length: 12 }, (_, i) => words[(seed * 7 + i * i) % words.length]).join(' ');
  await perRound(2_000, async (round) => embedder.embed([textOf(round)]));
  const rounds: number[] = [];
  for (let i = 0; i < 5; i++) {
    rounds.push(await perRound(1_000, (round) => embedder.embed([textOf(round)])));
  }
  const embedMs = median(rounds);

  const dir = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const db = openDatabase(join(dir, 'capstan.db'));
  try {
    const index = openSearchIndex(db, embedder);
    const documents = Array.from({ length: 10 }, (_, at) => ({
      owner: `document ${at}`,
      hash: `document ${at}`,
      parts: Array.from({ length: 20 }, (_, i) => ({
        kind: 'part' as const,
        label: `${i}`,
        text: textOf(at * 20 + i),
      })),
    }));
    await index.hold(documents);
    const owners = documents.map(({ owner }) => owner);
    await perRound(200, (i) => index.search(textOf(i), owners));
    const searchMs = await perRound(500, (i) => index.search(textOf(i), owners));
    const syncMs = await perRound(200, () => openSearchIndex(db, embedder).hold(documents));
    console.log(JSON.stringify({ loadMs, embedMs, searchMs, syncMs }));
  } finally {
    db.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

void measure();

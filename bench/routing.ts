import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Db, openDatabase } from '../src/db/open-database.ts';
import { toFtsQuery } from '../src/db/sql/fts-query.ts';
import type { Embedder } from '../src/embeddings/embedder.ts';
import { openEmbedder } from '../src/embeddings/open-embedder.ts';
import {
  type SearchDocument,
  toSearchDocument,
} from '../src/registry/search/index/search-document.ts';
import { openSearchIndex } from '../src/registry/search/index/search-index.ts';
import { maskTask } from '../src/registry/search/mask-task.ts';
import { type Figures, figuresOf, type Outcome } from './routing/routing-figures.ts';
import { type RoutingSet, readRoutingSets } from './routing/routing-set.ts';

const root = join(import.meta.dirname, '..');

/** Number of ranked hits: a lower rank adds less than a hundredth to a mean reciprocal rank. */
const MAX_HITS = 100;

const TEXTS_A_CALL = 100;

const ways = ['bm25', 'cosine', 'router'] as const;
type Way = (typeof ways)[number];
type SetFigures = { readonly n: number } & Readonly<Record<Way, Figures>>;

/** Scores of the agents for one task, best first. */
type Search = (text: string) => Promise<readonly { readonly id: string; readonly score: number }[]>;

async function outcomesOf({ queries }: RoutingSet, search: Search): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { text, agentId } of queries) {
    const hits = await search(text);
    const at = hits.findIndex(({ id }) => id === agentId);
    outcomes.push({
      rank: at === -1 ? undefined : at + 1,
      top: hits[0]?.score ?? 0,
      isKnown: agentId !== undefined,
    });
  }
  return outcomes;
}

/** The product's own search: what its registry does for a task of a run. */
async function routerSearch(db: Db, embedder: Embedder, documents: readonly SearchDocument[]) {
  const index = openSearchIndex(db, embedder);
  await index.hold(documents);
  const owners = documents.map(({ owner }) => owner);
  const search: Search = async (text) => {
    const hits = await index.search(maskTask(text), owners, MAX_HITS);
    return hits.map(({ owner, score }) => ({ id: owner, score }));
  };
  return search;
}

const oneText = ({ parts }: SearchDocument): string => parts.map(({ text }) => text).join('\n');

function bm25Search(db: Db, documents: readonly SearchDocument[]): Search {
  db.exec("CREATE VIRTUAL TABLE bench_texts USING fts5 (text, tokenize = 'porter unicode61')");
  const insert = db.prepare('INSERT INTO bench_texts (rowid, text) VALUES (?, ?)');
  db.transaction(() => {
    for (const [at, document] of documents.entries()) insert.run(at, oneText(document));
  })();
  const match = db.prepare<[string, number], { at: number; score: number }>(
    'SELECT rowid AS at, -bm25(bench_texts) AS score FROM bench_texts WHERE bench_texts MATCH ? ORDER BY score DESC LIMIT ?',
  );
  return async (text) => {
    const query = toFtsQuery(text);
    const rows = query === '' ? [] : match.all(query, MAX_HITS);
    return rows.map(({ at, score }) => ({ id: documents[at]?.owner ?? '', score }));
  };
}

async function cosineSearch(embedder: Embedder, documents: readonly SearchDocument[]) {
  const vectors: Float32Array[] = [];
  // A few at a time: each call has a deadline.
  for (let at = 0; at < documents.length; at += TEXTS_A_CALL)
    vectors.push(...(await embedder.embed(documents.slice(at, at + TEXTS_A_CALL).map(oneText))));
  const search: Search = async (text) => {
    const [query = new Float32Array()] = await embedder.embed([maskTask(text)]);
    return vectors
      .map((vector, at) => {
        const score = vector.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0);
        return { id: documents[at]?.owner ?? '', score };
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_HITS);
  };
  return search;
}

async function measureSet(set: RoutingSet, embedder: Embedder): Promise<SetFigures> {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-routing-'));
  const db = openDatabase(join(dir, 'capstan.db'));
  try {
    const documents = set.agents.map((agent) => toSearchDocument(agent.id, agent));
    const measure = async (search: Search) => figuresOf(await outcomesOf(set, search));
    return {
      n: set.queries.filter(({ agentId }) => agentId !== undefined).length,
      bm25: await measure(bm25Search(db, documents)),
      cosine: await measure(await cosineSearch(embedder, documents)),
      router: await measure(await routerSearch(db, embedder, documents)),
    };
  } finally {
    db.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** By `static` or `minilm`, or by the embedder's full name. */
function openNamed(name: string): Promise<Embedder> {
  const isStatic = name.startsWith('static');
  if (!isStatic && !/minilm/i.test(name))
    throw new Error(`--embedder ${name}: say static or minilm`);
  const given = process.env['CAPSTAN_MODEL_DIR'] ?? join(root, '../shared/data/models');
  return openEmbedder({
    name: isStatic ? 'static' : 'minilm',
    packageDir: root,
    modelDir: existsSync(given) ? given : undefined,
    cacheDir: join(tmpdir(), 'capstan-routing-models'),
  });
}

function toTable(sets: Readonly<Record<string, SetFigures>>): string {
  const shown = (value: number | undefined) => value?.toFixed(3).replace(/^0/, '') ?? '–';
  const rows = Object.entries(sets).flatMap(([name, figures]) =>
    ways.map((way) => {
      const { recall_at_1, recall_at_5, mrr, create_auroc } = figures[way];
      const cells = [recall_at_1, recall_at_5, mrr, create_auroc].map(shown).join(' | ');
      return `| ${name} (${figures.n}) | ${way} | ${cells} |`;
    }),
  );
  const head = '| set (tasks) | by | recall@1 | recall@5 | MRR | create AUROC |';
  return [head, '|---|---|---|---|---|---|', ...rows].join('\n');
}

/** `npm run bench:routing`: how often each task of labelled sets finds its agent. */
async function bench(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      sets: { type: 'string', default: join(root, '../shared/data/routing') },
      embedder: { type: 'string', default: 'static' },
      json: { type: 'boolean', default: false },
    },
  });
  if (!existsSync(values.sets)) {
    console.error(`There are no sets in ${values.sets}: name a folder of them with --sets.`);
    return 2;
  }
  const embedder = await openNamed(values.embedder);
  try {
    const sets: Record<string, SetFigures> = {};
    for (const set of readRoutingSets(values.sets))
      sets[set.name] = await measureSet(set, embedder);
    const text = values.json
      ? JSON.stringify({ embedder: embedder.name, sets }, null, 2)
      : `${embedder.name}:\n\n${toTable(sets)}`;
    console.log(text);
    return Object.keys(sets).length > 0 ? 0 : 2;
  } finally {
    await embedder.close();
  }
}

process.exitCode = await bench(process.argv.slice(2));

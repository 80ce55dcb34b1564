import type { Embedder } from '../../../embeddings/embedder.ts';
import type { Capsule } from '../../capsule-store.ts';
import { type LearntStore, learntKey } from './learnt-store.ts';
import {
  type SearchDocument,
  type ToolText,
  textsOf,
  toSearchDocument,
} from './search-document.ts';

/** Maximum number of completed tasks that are kept for a capsule, the most diverse ones. */
const MAX_COMPLETED = 10;

/** The search document of each capsule, with what was learnt about it. Deletes completed tasks beyond the limit. */
export async function documentsOf(
  capsules: readonly Capsule[],
  tools: ReadonlyMap<string, ToolText>,
  learnt: LearntStore,
  embedder: Embedder,
): Promise<SearchDocument[]> {
  const all = learnt.all();
  const documents: SearchDocument[] = [];
  for (const capsule of capsules) {
    const key = learntKey(capsule);
    const known = all.get(key);
    const completed = await keepDiverse(known?.completed ?? [], embedder);
    const gone = known?.completed.filter((task) => !completed.includes(task)) ?? [];
    if (gone.length > 0) learnt.forgetCompleted(key, gone);
    const texts = textsOf(capsule, tools, known && { ...known, completed });
    documents.push(toSearchDocument(capsule.dir, texts));
  }
  return documents;
}

async function keepDiverse(
  tasks: readonly string[],
  embedder: Embedder,
): Promise<readonly string[]> {
  if (tasks.length <= MAX_COMPLETED) return tasks;
  const picked = mostDiverse(await embedder.embed(tasks), MAX_COMPLETED);
  return tasks.filter((_task, at) => picked.has(at));
}

/** Picks `count` diverse vectors greedily: the first, then each time the one that is farthest from all picked so far. */
function mostDiverse(vectors: readonly Float32Array[], count: number): ReadonlySet<number> {
  const picked = new Set<number>();
  /** The highest cosine with a picked vector; infinite for the picked ones. */
  let nearest = vectors.map(() => Number.NEGATIVE_INFINITY);
  for (let n = 0; n < count; n += 1) {
    const next = nearest.indexOf(Math.min(...nearest));
    picked.add(next);
    const last = vectors[next] ?? new Float32Array();
    nearest = vectors.map((vector, at) =>
      picked.has(at) ? Number.POSITIVE_INFINITY : Math.max(nearest[at] ?? 0, dot(vector, last)),
    );
  }
  return picked;
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

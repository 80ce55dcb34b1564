import { createFlatVectors, type FlatVectors } from '../../embeddings/flat-vectors.ts';
import type { PartKind } from './search-document.ts';
import type { PartRow, SearchStore } from './search-store.ts';
import { createWordScores, type WordScores } from './word-scores.ts';

/** Where the vectors of one document stand. */
export interface HeldDocument {
  readonly owner: string;
  /** Its place among the held ones. */
  readonly slot: number;
  readonly parts: readonly HeldPart[];
  /** The rows of those parts that speak for it. */
  readonly rows: Int32Array;
  /** Whether a person has ever given a task to it or taken one from it. */
  readonly isCorrected: boolean;
  /** The rows of its means; none where no text of it has a known word. */
  readonly means: Int32Array;
}

export interface HeldPart {
  readonly row: number;
  readonly kind: PartKind;
  readonly label: string;
}

/** Documents in memory, so that a search reads no vector from the disk. */
export interface HeldDocuments {
  find(owner: string): HeldDocument | undefined;
  /** Cosine of each row with the query. Holds until the next call. */
  cosines(query: Float32Array): Float32Array;
  words(text: string): WordScores;
}

/**
 * Reads documents into memory: 1 KB a vector of 256 dimensions.
 *
 * @param ids By owner; each must be in the store.
 */
export function holdDocuments(
  store: SearchStore,
  dimensions: number,
  ids: ReadonlyMap<string, number>,
): HeldDocuments {
  const rows = store.partsOf([...ids.values()]);
  const { flat, rowOf } = readVectors(store, dimensions, rows);
  const byDocument = new Map<number, PartRow[]>();
  for (const row of rows) {
    const known = byDocument.get(row.documentId);
    if (known) known.push(row);
    else byDocument.set(row.documentId, [row]);
  }
  const slotOf = new Map([...ids.values()].map((id, slot) => [id, slot]));
  const documents = new Map(
    [...ids].map(([owner, id], slot) => [
      owner,
      { owner, slot, ...placesOf(byDocument.get(id) ?? [], rowOf) },
    ]),
  );
  return {
    find: (owner) => documents.get(owner),
    cosines: (query) => flat.dots(query),
    words: createWordScores(store, slotOf),
  };
}

/** Each different text once, however many documents have it. */
function readVectors(store: SearchStore, dimensions: number, rows: readonly PartRow[]) {
  const vectors = store.vectors([...new Set(rows.map(({ vectorId }) => vectorId))]);
  const flat: FlatVectors = createFlatVectors(dimensions, vectors.size);
  const rowOf = new Map<number, number>();
  for (const [id, vector] of vectors) rowOf.set(id, flat.add(vector));
  return { flat, rowOf };
}

function placesOf(
  rows: readonly PartRow[],
  rowOf: ReadonlyMap<number, number>,
): Omit<HeldDocument, 'owner' | 'slot'> {
  const parts: HeldPart[] = [];
  const means: number[] = [];
  for (const { kind, label, vectorId } of rows) {
    const row = rowOf.get(vectorId);
    if (row === undefined) continue;
    if (kind === 'mean') means.push(row);
    else parts.push({ row, kind, label });
  }
  const rowsFor = parts.filter(({ kind }) => kind !== 'against').map(({ row }) => row);
  const isCorrected = parts.some(({ kind }) => kind !== 'part');
  return { parts, rows: Int32Array.from(rowsFor), isCorrected, means: Int32Array.from(means) };
}

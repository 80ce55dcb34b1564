import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { AppError, messageOf } from '../../contract/errors.ts';
import { once } from '../../platform/once.ts';
import type { Embedder } from '../embedder.ts';
import { splitWords } from './bert-words.ts';
import { indexWordPieces, readIndex, type WordPieces } from './piece-index.ts';

const TableDescription = z.object({
  name: z.string().min(1),
  version: z.int().positive(),
  dimensions: z.int().positive().max(4_096),
  rows: z.int().positive().max(1_000_000),
});

/** Rows kept in memory, 1 MiB of them at 256 dimensions: the table itself stays in the file. */
const MAX_ROWS_HELD = 4_096;

export interface StaticEmbedder extends Embedder {
  /** The word pieces of a text, in order: rows of the table. */
  pieceIds(text: string): number[];
}

/**
 * Opens a table of word-piece vectors. A text's vector is the sum of its pieces' vectors, normalised; a text without
 * a known piece has the zero vector.
 *
 * A folder has `table.json` (name, version, dimensions, rows), `table.i8` (rows × dimensions, int8), `scales.f32`
 * (little-endian, one per row), `vocab.txt` (piece i on line i) and optionally `vocab.index`, which the build makes from it. Only needed rows are read.
 *
 * @throws AppError `EMBEDDER_UNAVAILABLE` if a file is missing or its size differs from `table.json`.
 */
export async function openStaticEmbedder(dir: string): Promise<StaticEmbedder> {
  const { name, version, dimensions, rows } = describe(dir);
  const table = openSync(join(dir, 'table.i8'), 'r');
  const scales = once(() => readFileSync(join(dir, 'scales.f32')));
  const pieces = once(() => readPieces(dir, rows));
  const held = new Map<number, Int8Array>();

  const pieceIds = (text: string): number[] =>
    splitWords(text).flatMap((word) => pieces().idsOf(word));
  const row = (id: number): Int8Array => {
    const known = held.get(id);
    if (known) return known;
    const bytes = new Int8Array(dimensions);
    readSync(table, bytes, 0, dimensions, id * dimensions);
    if (held.size >= MAX_ROWS_HELD) held.clear();
    held.set(id, bytes);
    return bytes;
  };
  const embedOne = (text: string): Float32Array => {
    const sum = new Float64Array(dimensions);
    for (const id of pieceIds(text)) addScaled(sum, row(id), scales().readFloatLE(id * 4));
    return normalised(sum);
  };

  return {
    name,
    version: String(version),
    pieceIds,
    embed: async (texts) => texts.map(embedOne),
    close: async () => closeSync(table),
  };
}

function addScaled(sum: Float64Array, row: Int8Array, scale: number): void {
  for (let i = 0; i < row.length; i++) sum[i] = (sum[i] ?? 0) + (row[i] ?? 0) * scale;
}

function normalised(sum: Float64Array): Float32Array {
  let square = 0;
  for (const value of sum) square += value * value;
  const factor = square === 0 ? 0 : 1 / Math.sqrt(square);
  const vector = new Float32Array(sum.length);
  for (let i = 0; i < vector.length; i++) vector[i] = (sum[i] ?? 0) * factor;
  return vector;
}

function describe(dir: string): z.infer<typeof TableDescription> {
  try {
    const description = TableDescription.parse(
      JSON.parse(readFileSync(join(dir, 'table.json'), 'utf8')),
    );
    const { rows, dimensions } = description;
    checkSize(join(dir, 'table.i8'), rows * dimensions);
    checkSize(join(dir, 'scales.f32'), rows * 4);
    return description;
  } catch (error) {
    throw unavailable(messageOf(error), error);
  }
}

function checkSize(path: string, bytes: number): void {
  const { size } = statSync(path);
  if (size !== bytes) throw new Error(`${path} has ${size} bytes where ${bytes} were expected`);
}

function readPieces(dir: string, rows: number): WordPieces {
  const vocabulary = readFileSync(join(dir, 'vocab.txt'));
  const pieces = indexWordPieces(vocabulary, readIndex(join(dir, 'vocab.index'), vocabulary));
  if (pieces.size === rows) return pieces;
  throw unavailable(`${join(dir, 'vocab.txt')} has ${pieces.size} lines, the table ${rows} rows`);
}

const unavailable = (problem: string, cause?: unknown): AppError =>
  new AppError(
    'EMBEDDER_UNAVAILABLE',
    {
      embedder: 'static',
      problem,
      fix: 'Install Capstan again: its models/static-en-256 folder is incomplete.',
    },
    { cause },
  );

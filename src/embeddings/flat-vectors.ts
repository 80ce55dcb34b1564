import { createDotKernel, KERNEL_STEP_BYTES } from './dot-kernel.ts';

const PAGE_BYTES = 64 * 1024;

/** Vectors in one block of memory, compared with a query one after the other: nothing is left out, nothing is near enough. */
export interface FlatVectors {
  readonly size: number;
  /** Keeps a copy of a vector; its row is the number of those before it. */
  add(vector: Float32Array): number;
  /** The dot product of each row with the query: cosines, where all have length one. Holds until the next call. */
  dots(query: Float32Array): Float32Array;
}

/**
 * Makes an empty block for vectors of so many dimensions. 100,000 of 256 dimensions take 100 MB.
 *
 * @param expected Rows that there is room for at once; it grows where there are more.
 */
export function createFlatVectors(dimensions: number, expected = 64): FlatVectors {
  const { memory, dots } = createDotKernel();
  const rowBytes = Math.ceil((dimensions * 4) / KERNEL_STEP_BYTES) * KERNEL_STEP_BYTES;
  /** The query stands first, then the rows, then the answers. */
  const startOf = (row: number) => rowBytes * (row + 1);
  let capacity = 0;
  let size = 0;

  const reserve = (rows: number) => {
    capacity = rows;
    const bytes = startOf(rows) + rows * 4;
    const missing = bytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  };
  const put = (vector: Float32Array, at: number) =>
    new Float32Array(memory.buffer, at, dimensions).set(vector);
  reserve(Math.max(expected, 1));

  return {
    get size() {
      return size;
    },
    add(vector) {
      if (size === capacity) reserve(capacity * 2);
      put(vector, startOf(size));
      return size++;
    },
    dots(query) {
      if (size === 0) return new Float32Array();
      put(query, 0);
      const out = startOf(capacity);
      dots(0, startOf(0), startOf(size), rowBytes, out);
      return new Float32Array(memory.buffer, out, size);
    },
  };
}

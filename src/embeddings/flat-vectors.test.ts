import { expect, test } from 'vitest';
import { createFlatVectors } from './flat-vectors.ts';

const randomVector = (dimensions: number, seed: number): Float32Array =>
  Float32Array.from({ length: dimensions }, (_, i) => Math.sin(seed * 131 + i * i * 0.7));
const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

test.each([1, 3, 16, 100, 256, 384])(
  'gives the dot product with every row, %d dimensions',
  (dimensions) => {
    const flat = createFlatVectors(dimensions, 2);
    const vectors = Array.from({ length: 300 }, (_, i) => randomVector(dimensions, i));
    expect(vectors.map((vector) => flat.add(vector))).toEqual(vectors.map((_, i) => i));
    for (const seed of [7_000, 8_000]) {
      const query = randomVector(dimensions, seed);
      const dots = flat.dots(query);
      expect(dots).toHaveLength(300);
      for (const [row, vector] of vectors.entries())
        expect(dots[row]).toBeCloseTo(dot(vector, query), 3);
    }
    expect(flat.add(randomVector(dimensions, 1))).toBe(300);
    expect(flat.dots(randomVector(dimensions, 1))[300]).toBeCloseTo(
      dot(randomVector(dimensions, 1), randomVector(dimensions, 1)),
      3,
    );
  },
);

test('an empty block has no dot products', () => {
  expect(createFlatVectors(4).dots(new Float32Array(4))).toHaveLength(0);
});

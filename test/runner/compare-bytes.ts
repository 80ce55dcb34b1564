import { expect } from 'vitest';

/** Files are compared at once. Vitest would compare buffers byte by byte: seconds for a small database. */
expect.addEqualityTesters([
  (one: unknown, other: unknown) =>
    Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined,
]);

import { expect, it } from 'vitest';
import * as z from 'zod';
import { issueLine } from './issue-line.ts';

it('names every field with its problem on one line, and no field twice', () => {
  const schema = z.strictObject({
    a: z.object({ b: z.string('write a text') }),
    c: z.string('"c" must be a text'),
  });
  const { error } = schema.safeParse({ a: { b: 1 }, d: 2 });
  expect(error && issueLine(error)).toBe(
    'a.b: write a text; "c" must be a text; Unrecognized key: "d"',
  );
});

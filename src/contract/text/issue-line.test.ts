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
    'a.b: write a text; "c" must be a text; there is no field "d" here',
  );
});

it('says in plain words what the validator says in its own', () => {
  const schema = z.object({
    a: z.string(),
    b: z.number(),
    c: z.string().min(1),
    d: z.literal('x'),
  });
  const { error } = schema.safeParse({ b: Number.NaN, c: '', d: 'y' });
  expect(error && issueLine(error)).toBe(
    'a: it is missing and must be a text; b: it must be a number; c: it must not be empty; d: it must be "x"',
  );
  const whole = schema.safeParse([]).error;
  expect(whole && issueLine(whole)).toBe('it must be a group of fields');
});

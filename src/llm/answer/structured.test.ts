import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { documentIn, isStrictSchema, titledSchema } from './structured.ts';

describe('documentIn', () => {
  it.each([
    ['{"a":1}', '{"a":1}'],
    [' [1] \n', '[1]'],
    ['```json\n{"a":1}\n```', '{"a":1}'],
    ['Here it is:\n```\n{"a":1}\n```\nGood luck!', '{"a":1}'],
    ['Sure: {"a":{"b":2}} as you wished.', '{"a":{"b":2}}'],
    ['As asked in [1], the plan:\n{"steps":[]}', '{"steps":[]}'],
    ['{"steps":[]} (see [1])', '{"steps":[]}'],
    ['See: [{"a":1}] as you wished.', '[{"a":1}]'],
    ['{"text":"a ```json\\nfence``` inside"}', '{"text":"a ```json\\nfence``` inside"}'],
    ['no document', undefined],
    ['"text"', undefined],
    ['42', undefined],
    ['{"a":1', undefined],
    ['', undefined],
  ])('finds in %j the document %j', (text, document) => {
    expect(documentIn(text)).toBe(document);
  });
});

describe('isStrictSchema', () => {
  const closed = z.toJSONSchema(
    z.object({ a: z.string(), b: z.array(z.object({ c: z.union([z.null(), z.number()]) })) }),
  );
  it('accepts closed objects whose properties are all required', () => {
    expect(isStrictSchema(closed)).toBe(true);
  });
  it.each([
    ['an optional property', z.object({ a: z.string().optional() })],
    ['a map', z.object({ a: z.record(z.string(), z.string()) })],
    ['a bound', z.object({ a: z.string().min(1) })],
    ['an open object', z.looseObject({ a: z.string() })],
  ])('refuses %s', (_what, schema) => {
    expect(isStrictSchema(z.toJSONSchema(schema))).toBe(false);
  });
});

it('titledSchema names the document and drops the dialect', () => {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' };
  expect(titledSchema({ name: 'plan', schema })).toEqual({ title: 'plan', type: 'object' });
});

import { expect, it } from 'vitest';
import { uuidv7 } from './uuidv7.ts';

it('is a UUID of version 7 that carries its time', () => {
  const id = uuidv7(Date.parse('2026-01-02T03:04:05.678Z'));
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(
    Date.parse('2026-01-02T03:04:05.678Z'),
  );
});

it('sorts by the order in which ids were made, also within one millisecond and when the clock goes back', () => {
  const start = Date.now() + 10_000;
  const ids = Array.from({ length: 20_000 }, (_, index) => uuidv7(start - (index % 3)));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

import { describe, expect, it } from 'vitest';
import { shortId, withShortIds } from './short-id.ts';

describe('a short id', () => {
  it('is the last 8 characters of a UUID', () => {
    expect(shortId('0199a1b2-0000-7000-8000-00001234abcd')).toBe('1234abcd');
  });

  it.each(['log-analyst', 'run-1', ''])('leaves %j as it is', (id) => {
    expect(shortId(id)).toBe(id);
  });
});

it('shortens the UUIDs of a text, except in paths', () => {
  const id = '0199a1b2-0000-7000-8000-00001234abcd';
  expect(withShortIds(`Run ${id} of "${id}" is parked: ${id}.`)).toBe(
    'Run 1234abcd of "1234abcd" is parked: 1234abcd.',
  );
  for (const path of [`/runs/${id}/artifacts`, `runs/${id}.jsonl`, `run-${id}.json`])
    expect(withShortIds(path)).toBe(path);
});

import { describe, expect, it } from 'vitest';
import { shortId } from './short-id.ts';

describe('a short id', () => {
  it('is the last 8 characters of a UUID', () => {
    expect(shortId('0199a1b2-0000-7000-8000-00001234abcd')).toBe('1234abcd');
  });

  it.each(['log-analyst', 'run-1', ''])('leaves %j as it is', (id) => {
    expect(shortId(id)).toBe(id);
  });
});

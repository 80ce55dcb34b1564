import { describe, expect, it } from 'vitest';
import { withFullStop } from './full-stop.ts';

describe('withFullStop', () => {
  it.each([
    ['keep the keys', 'keep the keys.'],
    ['Not now. ', 'Not now.'],
    ['Why?', 'Why?'],
    ['He said "no."', 'He said "no."'],
    ['', ''],
  ])('makes %j the sentence %j', (text, sentence) => {
    expect(withFullStop(text)).toBe(sentence);
  });
});

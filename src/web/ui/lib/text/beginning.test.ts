import { expect, it } from 'vitest';
import { beginningOf } from './beginning.ts';

it('of 1,500 lines, 40 are shown; 60 lines are shown as they are', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `${at}. x`).join('\n');
  expect(beginningOf(lines(1_500))).toBe(`${lines(40)}\n\n…`);
  expect(beginningOf(lines(60))).toBe(lines(60));
});

it('a long line takes as many rows as it needs, and is cut between two words', () => {
  const long = 'word '.repeat(2_000);
  const shown = beginningOf(long);
  expect(shown.length).toBeLessThan(2_500);
  expect(shown).toMatch(/word\n\n…$/);
  expect(beginningOf(`first\n${long}`)).toMatch(/^first\n(word )+word\n\n…$/);
});

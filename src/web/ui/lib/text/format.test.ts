import { describe, expect, it } from 'vitest';
import {
  ago,
  bytes,
  clock,
  count,
  duration,
  inLine,
  money,
  moneyOf,
  past,
  plural,
  query,
  timeOn,
  visible,
  visibleProse,
} from './format.ts';

describe('what people read', () => {
  it('shows money with four digits below a dollar and two above', () => {
    expect([money(0), money(0.0412), money(0.99999), money(12.4)]).toEqual([
      'free',
      '$0.0412',
      '$1.0000',
      '$12.40',
    ]);
  });

  it('shows money of a budget, and never that something is free of it', () => {
    expect([moneyOf(0, 1), moneyOf(0.0412, 1), moneyOf(0, null)]).toEqual([
      '$0 of $1.00',
      '$0.0412 of $1.00',
      'free',
    ]);
  });

  it('shows a time of another day with its date', () => {
    const now = new Date(2026, 10, 28, 22, 0);
    const times = [new Date(2026, 10, 28, 1, 2, 3), new Date(2026, 10, 27, 21, 57, 51)];
    const [today, before] = times.map((at) => timeOn(at, now));
    expect([today, before]).toEqual(['01:02:03', '27 Nov, 21:57:51']);
    expect(timeOn(new Date(2025, 10, 27, 21, 57, 51), now)).toBe('27 Nov 2025, 21:57:51');
  });

  it('ends no line with a separator', () => {
    expect([inLine('orchard', ''), inLine('orchard', 'Done')]).toEqual([
      'orchard',
      'orchard · Done',
    ]);
  });

  it('shows durations in the unit that fits', () => {
    expect([300, 9_949, 9_960, 48_000, 185_000, 7_500_000].map(duration)).toEqual([
      '0.3 s',
      '9.9 s',
      '10 s',
      '48 s',
      '3 min 05 s',
      '2 h 05 min',
    ]);
    expect([151_000, 3_751_000].map(clock)).toEqual(['2:31', '1:02:31']);
  });

  it('shows counts, bytes and plurals', () => {
    expect([812, 1_234, 41_200, 1_200_000].map(count)).toEqual(['812', '1.2k', '41k', '1.2M']);
    expect([512, 12_400, 3_100_000].map(bytes)).toEqual(['512 B', '12 kB', '3.1 MB']);
    expect([plural(1, 'step'), plural(3, 'step')]).toEqual(['1 step', '3 steps']);
  });

  it('shows times relative up to a day and absolute after', () => {
    const now = new Date(2026, 10, 22, 14, 4, 12);
    const before = (ms: number) => ago(new Date(now.getTime() - ms), now);
    expect([1_000, 40_000, 360_000, 7_200_000, 90_000_000].map(before)).toEqual([
      'now',
      '40 s',
      '6 min',
      '2 h',
      '21 Nov',
    ]);
    const since = (ms: number) => past(new Date(now.getTime() - ms), now);
    expect([1_000, 40_000, 90_000_000].map(since)).toEqual(['now', '40 s ago', '21 Nov']);
  });
});

it('leaves empty values out of a query', () => {
  expect(query({ status: 'failed', text: 'a b', capsule: '', limit: undefined })).toBe(
    '?status=failed&text=a+b',
  );
  expect(query({})).toBe('');
});

describe('a text that may mislead', () => {
  it.each([
    ['a control character', 'a\u001b\u009b', 'a⟦U+001B⟧⟦U+009B⟧'],
    ['a character that reorders text', 'a\u202egpj', 'a⟦U+202E⟧gpj'],
    ['a filler that is a letter', 'a\u3164\u115f\u034f', 'a⟦U+3164⟧⟦U+115F⟧⟦U+034F⟧'],
    ['a variation selector', 'a\ufe0f\u{e0101}', 'a⟦U+FE0F⟧⟦U+E0101⟧'],
    ['an empty Braille pattern', 'a\u2800', 'a⟦U+2800⟧'],
    ['half of a character', 'a\ud83d', 'a⟦U+D83D⟧'],
  ])('shows %s by its number', (_what, text, shown) => {
    expect([visible(text), visibleProse(text)]).toEqual([shown, shown]);
  });

  it('keeps lines and tabs, and in prose the parts of emoji', () => {
    expect(visible('a\n\tb')).toBe('a\n\tb');
    const emoji = '⚠\ufe0f 👩🏽\u200d💻\n';
    expect(visibleProse(emoji)).toBe(emoji);
    expect(visible(emoji)).toBe('⚠⟦U+FE0F⟧ 👩🏽⟦U+200D⟧💻\n');
  });
});

import { describe, expect, it } from 'vitest';
import { markdownCell, plainText } from './escape-cell.ts';
import { renderMarkdown, toMapping } from './render.ts';
import { roundTo } from './round.ts';

describe('a Markdown table', () => {
  it('is aligned, with numbers to the right and units in the header', () => {
    const columns = [
      { name: 'path' },
      { name: 'duration', unit: 'ms' },
      { name: 'wait_s', unit: 's' },
    ];
    const rows = [
      ['/a', 5, 0.25],
      ['/longer', 12_345, null],
    ];
    expect(renderMarkdown({ columns, rows })).toBe(
      [
        '| path    | duration (ms) | wait_s |',
        '| ------- | ------------: | -----: |',
        '| /a      |             5 |   0.25 |',
        '| /longer |         12345 |      – |',
      ].join('\n'),
    );
  });

  it.each([
    ['a bar', 'a|b', 'a\\|b'],
    ['a line break', 'a\nb', 'a\\u{a}b'],
    ['markup', '`x` [a](b) *c*', '\\`x\\` \\[a\\](b) \\*c\\*'],
    ['HTML', '<img src=x>', '\\<img src=x>'],
    ['an entity', '&lt;', '&amp;lt;'],
    ['an escape sequence', '\u001b[31m', '\\u{1b}\\[31m'],
    ['text turned around', 'a\u202eb', 'a\\u{202e}b'],
    ['hidden characters', 'a\u200bb\u{e0041}', 'a\\u{200b}b\\u{e0041}'],
    ['names with underscores, as they are', 'temp_max >= 5', 'temp_max >= 5'],
    ['other scripts, as they are', '日本 ä 🙂', '日本 ä 🙂'],
  ])('shows %s harmlessly', (_what, cell, shown) => {
    expect(markdownCell(cell)).toBe(shown);
  });

  it('cuts long cells, never inside a character', () => {
    expect(markdownCell('🙂'.repeat(500))).toBe(`${'🙂'.repeat(200)}…`);
  });

  it('leaves no control character in any text', () => {
    const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).join('');
    expect(plainText(all)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });
});

it('an object of pairs keeps keys such as __proto__ as keys', () => {
  const mapping = toMapping({ columns: [{ name: 'k' }, { name: 'v' }], rows: [['__proto__', 1]] });
  expect(Object.keys(mapping)).toEqual(['__proto__']);
});

it.each([
  [1.005, 2, 1.01],
  [-1.005, 2, -1.01],
  [0.1 + 0.2, undefined, 0.3],
  [523.0600000000003, undefined, 523.06],
  [2.5, 0, 3],
  [1e-9, 2, 0],
  [12345678.9, 2, 12345678.9],
  [7, 2, 7],
])('%s rounded to %s decimals is %s', (value, decimals, rounded) => {
  expect(roundTo(value, decimals)).toBe(rounded);
});

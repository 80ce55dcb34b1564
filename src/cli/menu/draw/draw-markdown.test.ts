import { describe, expect, it } from 'vitest';
import { createStyle } from '../../text/style.ts';
import { unicodeSymbols } from '../terminal/symbols.ts';
import { drawDiff } from './draw-diff.ts';
import { drawMarkdown } from './draw-markdown.ts';

const plain = createStyle({}, false);
const draw = (text: string, width = 40, options = {}) =>
  drawMarkdown(text, { width, style: plain, symbols: unicodeSymbols }, options);

describe('Markdown', () => {
  it('wraps prose at words, and breaks no path, address or code', () => {
    const path = `src/${'long/'.repeat(12)}cart.js`;
    expect(draw(`The file ${path} and \`npm run build --all\` are it.`)).toEqual([
      'The file',
      path,
      'and npm run build --all are it.',
    ]);
  });

  it('keeps the line breaks of a paragraph', () => {
    expect(draw('Name: Ada\nBorn: **1815\nin** London\n\n- one\n  two')).toEqual([
      ...['Name: Ada', 'Born: 1815', 'in London', '', '- one', '  two'],
    ]);
  });

  it('shows a link as text and address, never as a hyperlink', () => {
    expect(draw('[docs](https://a.example/x) <https://b.example>')).toEqual([
      'docs (https://a.example/x)',
      'https://b.example',
    ]);
  });

  it('indents code by 2, and lists hang', () => {
    expect(
      draw(
        '# A\n```js\nif (x) {\n  y\n}\n```\n- one two three four five six seven eight nine\n  1. in',
      ),
    ).toEqual([
      ...['A', '', '  if (x) {', '    y', '  }', ''],
      ...['- one two three four five six seven', '  eight nine', '  1. in'],
    ]);
  });

  it('uses bold for headings and no colour codes but the theme’s own', () => {
    const style = createStyle({ FORCE_COLOR: '1' }, true);
    const [heading] = drawMarkdown('# A', { width: 40, style, symbols: unicodeSymbols });
    expect(heading).toBe('\u001b[1mA\u001b[22m');
  });

  it('keeps what is struck out or stressed apart, with marks where there are no styles', () => {
    const text = 'Never ~~drop the table~~, *really*: 2*3*4 is 24, 2**3**2 is 512, **so** what';
    const style = createStyle({ FORCE_COLOR: '1' }, true);
    expect(drawMarkdown(text, { width: 90, style, symbols: unicodeSymbols })).toEqual([
      'Never \u001b[9mdrop the table\u001b[29m, \u001b[3mreally\u001b[23m: 2*3*4 is 24, 2**3**2 is 512, \u001b[1mso\u001b[22m what',
    ]);
    expect(draw(text, 90)).toEqual([
      'Never ~~drop the table~~, *really*: 2*3*4 is 24, 2**3**2 is 512, so what',
    ]);
  });

  it('escapes what is hostile, HTML included', () => {
    expect(draw('a\u001b]8;;http://x\u0007b <b>\u202e</b> \u200b', 80).join('')).toBe(
      'a\\u001b]8;;http://x\\u0007b <b>\\u202e</b> \\u200b',
    );
  });
});

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => `| r${index} | ${index} |`);

describe('a table', () => {
  it('wraps cells in their column, numbers to the right', () => {
    const text = '| name | amount |\n|---|--:|\n| 東京 and a long text that wraps | 12 |';
    expect(draw(text, 24)).toEqual([
      ...['name              amount', '東京 and a long       12', 'text that wraps'],
    ]);
  });

  it('becomes name: value lines where columns of 8 do not fit', () => {
    const text =
      '| alphabet | beta-beta | gamma-gamma |\n|---|---|---|\n| 1234567890 | 2345678901 | 3456789012 |';
    expect(draw(text, 20)).toEqual([
      'alphabet: 1234567890',
      'beta-beta: 2345678901',
      'gamma-gamma: 3456789012',
    ]);
  });

  it.each([12, 20, 30, 59, 79])('loses nothing at %i columns', (width) => {
    const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', '1234567'];
    const text = `| a | b | c |\n|---|---|---|\n| ${words.slice(0, 2).join(' ')} | ${words.slice(2, 4).join(' ')} | ${words.slice(4).join(' ')} |`;
    const shown = draw(text, width).join('\n');
    for (const word of words) expect(shown).toContain(word);
  });

  it('folds to 20 rows above 40, only where the rest can be opened', () => {
    const text = `| a | b |\n|---|---|\n${rows(200).join('\n')}`;
    expect(draw(text, 60)).toHaveLength(201);
    const folded = draw(text, 60, { isFolded: true });
    expect(folded).toHaveLength(22);
    expect(folded.at(-1)).toBe('… 180 more rows · Ctrl-O opens all');
    expect(
      draw(`| a | b |\n|---|---|\n${rows(40).join('\n')}`, 60, { isFolded: true }),
    ).toHaveLength(41);
  });
});

describe('a difference', () => {
  it('has the numbers of both sides, and a gap between hunks', () => {
    const diff = '--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n@@ -9,1 +9,2 @@\n nine\n+--- x\n';
    expect(drawDiff(diff, { style: plain })).toEqual([
      ...['   1   one', '   2 - two', '   2 + 2', '', '   9   nine', '  10 + --- x'],
    ]);
  });

  it('escapes its lines, and names several files', () => {
    const one = (name: string) => `--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-a\u001b[2J\n+b\n`;
    expect(drawDiff(one('x') + one('y'), { style: plain })).toEqual([
      ...[
        '  +++ x',
        '   1 - a\\u001b[2J',
        '   1 + b',
        '  +++ y',
        '',
        '   1 - a\\u001b[2J',
        '   1 + b',
      ],
    ]);
  });
});

import { expect, it } from 'vitest';
import { createStyle } from '../../text/style.ts';
import type { Frame } from '../frame.ts';
import { unicodeSymbols } from '../terminal/symbols.ts';
import { textWidth } from '../terminal/text-width.ts';
import { drawInput } from './draw-input.ts';
import { drawLine } from './draw-line.ts';
import { typed } from './edit.ts';
import { openLine } from './input-line.ts';

const frame = (columns: number): Frame => ({
  columns,
  rows: 20,
  width: columns - 1,
  nowMs: 0,
  symbols: unicodeSymbols,
  style: createStyle({ NO_COLOR: '1' }, false),
  isReduced: false,
});

it('draws the prompt and the cursor after the text', () => {
  expect(drawInput(typed('fix it'), frame(80))).toEqual({
    lines: ['› fix it'],
    cursor: { x: 8, y: 0 },
  });
});

it('indents further lines', () => {
  expect(drawInput(typed('one\ntwo'), frame(80)).lines).toEqual(['› one', '  two']);
});

it.each([40, 60, 80])('wraps at %i columns without halving a wide character', (columns) => {
  const { lines, cursor } = drawInput(typed('漢字'.repeat(40)), frame(columns));
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns - 1);
  expect(lines.map((line) => line.slice(2)).join('')).toBe('漢字'.repeat(40));
  expect(cursor?.x).toBeLessThan(columns);
});

it('draws at most 6 rows, those around the cursor', () => {
  const text = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n');
  expect(drawInput(typed(text), frame(80)).lines.at(-1)).toBe('  line 20');
  const top = drawInput({ text, cursor: 0, killed: '' }, frame(80));
  expect(top.lines).toHaveLength(6);
  expect(top.lines[0]).toBe('› line 1');
});

it('shows what nobody sees as a replacement character', () => {
  expect(drawInput(typed('a\u202eb\tc'), frame(80)).lines).toEqual(['› a\ufffdb c']);
});

it('says how many completions are not shown', () => {
  const items = Array.from({ length: 16 }, (_, index) => `item-${index + 1}`);
  const line = { ...openLine(), edited: typed('/item') };
  const { lines } = drawLine(line, frame(80), { candidates: () => items, about: () => '' });
  expect(lines.slice(1, 2)).toEqual(['▸ item-1']);
  expect(lines.slice(5)).toEqual(['  item-5', '  … 11 more: type on, or Up and Down']);
});

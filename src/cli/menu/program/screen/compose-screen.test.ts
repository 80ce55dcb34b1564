import { expect, it } from 'vitest';
import { createStyle } from '../../../text/style.ts';
import { unicodeSymbols } from '../../terminal/symbols.ts';
import { composeScreen } from './compose-screen.ts';

it('a low terminal leaves out waiting tasks, not the prompt', () => {
  const frame = {
    ...{ columns: 80, rows: 9, width: 79, nowMs: 0, isReduced: false },
    ...{ symbols: unicodeSymbols, style: createStyle({}, false) },
  };
  const typed = Array.from({ length: 6 }, (_, index) => `line ${index}`);
  const line = () => ({ lines: typed, cursor: { x: 0, y: 5 } });
  const parts = { others: [], queued: ['a', 'b', 'c', 'd'], line, hint: 'Esc' };
  const { lines, cursor } = composeScreen(parts, frame);
  expect(lines).toHaveLength(9);
  expect(lines[cursor?.y ?? 0]).toBe('line 5');
});

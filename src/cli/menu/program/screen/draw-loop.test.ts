import { EventEmitter } from 'node:events';
import xterm from '@xterm/headless';
import { expect, it } from 'vitest';
import type { Drawn } from '../../frame.ts';
import { openDrawLoop } from './draw-loop.ts';

/** A loop in a terminal of 80 columns, below one printed line. */
function open(frame: Drawn) {
  const screen = new xterm.Terminal({
    cols: 80,
    rows: 24,
    allowProposedApi: true,
    convertEol: true,
  });
  const written: string[] = [];
  const put = (text: string) => new Promise<void>((resolve) => screen.write(text, resolve));
  const terminal = Object.assign(new EventEmitter(), { columns: 80 });
  const state = { frame };
  const loop = openDrawLoop({
    terminal: terminal as never,
    write: (text) => void written.push(text),
    draw: () => state.frame,
    isXtermJs: true,
  });
  const shown = async () => {
    await new Promise(setImmediate);
    await put(written.splice(0).join(''));
    return Array.from({ length: 24 }, (_, y) =>
      screen.buffer.active.getLine(y)?.translateToString(true),
    ).filter((line) => line !== '');
  };
  const narrow = (columns: number) => {
    screen.resize(columns, 24);
    terminal.columns = columns;
    terminal.emit('resize');
  };
  return { loop, state, written, screen, shown, narrow };
}

it('prints above the frame, and writes each change at once', async () => {
  const { loop, written, shown } = open({ lines: ['> '], cursor: { x: 2, y: 0 } });
  loop.redrawNow();
  expect(await shown()).toEqual(['>']);
  loop.print('one\n');
  loop.print('two\n');
  await new Promise(setImmediate);
  expect(written).toHaveLength(1);
  expect(written[0]?.split('\u001b[?2026h')).toHaveLength(2);
  expect(written[0]?.endsWith('\u001b[?2026l')).toBe(true);
  expect(await shown()).toEqual(['one', 'two', '>']);
});

it('writes nothing for a frame that did not change', async () => {
  const { loop, written, shown } = open({ lines: ['one', '', 'two'] });
  loop.redrawNow();
  expect(await shown()).toEqual(['one', 'two']);
  loop.redrawNow();
  await new Promise(setImmediate);
  expect(written).toEqual([]);
});

it('removes the frame, and leaves the cursor below what was printed last', async () => {
  const { loop, screen, shown } = open({ lines: ['> ', 'hint'], cursor: { x: 2, y: 0 } });
  loop.print('one\n');
  await shown();
  loop.print('two\n');
  loop.close();
  expect(await shown()).toEqual(['one', 'two']);
  expect(screen.buffer.active.cursorY).toBe(2);
});

it.each([
  ['below wide lines', { x: 4, y: 2 }, ['a'.repeat(75), 'b'.repeat(20), '> ab', 'c'.repeat(70)]],
  ['above a wide line', { x: 2, y: 0 }, ['> ', 'c'.repeat(70)]],
  ['hidden', undefined, ['a'.repeat(75), 'b'.repeat(20), 'c'.repeat(70)]],
] as const)(
  'erases a frame that a narrower terminal has wrapped, the cursor %s',
  async (_where, cursor, lines) => {
    const { loop, state, shown, narrow } = open({ lines, cursor });
    loop.print('printed before\n');
    await shown();
    state.frame = { lines: ['narrow'] };
    narrow(40);
    expect(await shown()).toEqual(['printed before', 'narrow']);
  },
);

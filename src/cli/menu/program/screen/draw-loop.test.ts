import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import xterm from '@xterm/headless';
import { expect, it } from 'vitest';
import type { Drawn } from '../../frame.ts';
import { openDrawLoop } from './draw-loop.ts';

function open(first: Drawn) {
  const screen = new xterm.Terminal({
    cols: 80,
    rows: 24,
    allowProposedApi: true,
    convertEol: true,
  });
  const written: string[] = [];
  const state = { drawn: first };
  const terminal = Object.assign(new EventEmitter(), { columns: 80 });
  const loop = openDrawLoop({
    terminal: terminal as never,
    write: (text) => written.push(text),
    draw: () => state.drawn,
    isXtermJs: true,
  });
  /** What the terminal shows once everything is drawn. */
  const shown = async () => {
    await nextTurn();
    await new Promise<void>((resolve) => screen.write(written.splice(0).join(''), resolve));
    const { active } = screen.buffer;
    const lines = Array.from({ length: active.length }, (_, y) =>
      active.getLine(y)?.translateToString(true),
    );
    return lines.join('\n').trimEnd().split('\n');
  };
  return { loop, state, terminal, screen, written, shown };
}

it('draws a frame in place of the last one, below what is printed', async () => {
  const { loop, state, shown } = open({ lines: ['one', 'two'] });
  loop.redrawNow();
  expect(await shown()).toEqual(['one', 'two']);
  loop.print('printed\n');
  state.drawn = { lines: ['three'] };
  expect(await shown()).toEqual(['printed', 'three']);
});

it('places the cursor, and hides it without a place', async () => {
  const { loop, state, screen, written, shown } = open({
    lines: ['> ab', 'hint'],
    cursor: { x: 4, y: 0 },
  });
  loop.redrawNow();
  await shown();
  expect([screen.buffer.active.cursorX, screen.buffer.active.cursorY]).toEqual([4, 0]);
  state.drawn = { lines: ['> ab', 'hint'] };
  loop.redrawNow();
  await nextTurn();
  expect(written.join('')).not.toContain('\u001b[?25h');
});

it('writes nothing for a frame that did not change', async () => {
  const { loop, written, shown } = open({ lines: ['one'] });
  loop.redrawNow();
  await shown();
  loop.redrawNow();
  await nextTurn();
  expect(written).toEqual([]);
});

it('keeps what was printed while it was hidden, and leaves nothing else behind', async () => {
  const { loop, shown } = open({ lines: ['one'] });
  loop.redrawNow();
  loop.hide();
  loop.print('printed\n');
  expect(await shown()).toEqual(['']);
  loop.show();
  expect(await shown()).toEqual(['printed', 'one']);
  loop.close();
  expect(await shown()).toEqual(['printed']);
});

it.each([
  ['below wide lines', { x: 4, y: 2 }, ['a'.repeat(75), 'b'.repeat(20), '> ab', 'c'.repeat(70)]],
  ['above a wide line', { x: 2, y: 0 }, ['> ', 'c'.repeat(70)]],
  ['hidden', undefined, ['a'.repeat(75), 'b'.repeat(20), 'c'.repeat(70)]],
] as const)(
  'erases a frame that a narrower terminal has wrapped, the cursor %s',
  async (_where, cursor, lines) => {
    const { loop, state, terminal, screen, shown } = open({ lines, cursor });
    loop.print('printed before\n');
    await shown();
    state.drawn = { lines: ['narrow'] };
    screen.resize(40, 24);
    terminal.columns = 40;
    terminal.emit('resize');
    expect(await shown()).toEqual(['printed before', 'narrow']);
  },
);

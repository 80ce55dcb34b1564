import { EventEmitter } from 'node:events';
import xterm from '@xterm/headless';
import { expect, it } from 'vitest';
import { createLiveOutput, FRAME_END, FRAME_START } from './live-output.ts';

const open = () => {
  const written: string[] = [];
  const terminal = Object.assign(new EventEmitter(), { columns: 80 });
  const output = createLiveOutput(terminal as never, (text) => written.push(text), true);
  return { written, terminal, output };
};

it('writes a frame, and frames within it, at once', () => {
  const { written, output } = open();
  for (const chunk of [FRAME_START, 'a', FRAME_START, 'b', FRAME_END, 'c', FRAME_END]) {
    output.write(chunk);
  }
  expect(written).toEqual([`${FRAME_START}abc${FRAME_END}`]);
});

it('writes nothing for a frame without content', () => {
  const { written, output } = open();
  output.write(FRAME_START);
  output.write(FRAME_END);
  expect(written).toEqual([]);
});

it('has so many rows that nothing is ever taken for a full screen', () => {
  expect(open().output.rows).toBe(100_000);
});

it.each([
  ['below wide lines', { x: 4, y: 2 }, ['a'.repeat(75), 'b'.repeat(20), '> ab', 'c'.repeat(70)]],
  ['above a wide line', { x: 2, y: 0 }, ['> ', 'c'.repeat(70)]],
  ['hidden', undefined, ['a'.repeat(75), 'b'.repeat(20), 'c'.repeat(70)]],
] as const)(
  'erases a frame that a narrower terminal has wrapped, the cursor %s',
  async (_where, cursor, lines) => {
    const screen = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true });
    const put = (text: string) => new Promise<void>((resolve) => screen.write(text, resolve));
    const { written, terminal, output } = open();
    await put(`printed before\r\n${lines.join('\r\n')}\r\n`);
    if (cursor) await put(`\u001b[${lines.length - cursor.y}A\u001b[${cursor.x + 1}G`);
    output.drew({ lines, cursor });
    screen.resize(40, 24);
    terminal.columns = 40;
    terminal.emit('resize');
    await put(written.join(''));
    const shown = Array.from({ length: 10 }, (_, y) =>
      screen.buffer.active.getLine(y)?.translateToString(true),
    );
    expect(shown.filter((line) => line !== '')).toEqual(['printed before']);
    expect(screen.buffer.active.cursorY).toBe(1 + (cursor?.y ?? lines.length));
  },
);

import xterm from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { terminalPicture } from '../scripts/pages/terminal-picture.ts';
import { screenLines } from './terminal/screen-lines.ts';

const COLUMNS = 20;

/** The picture of a program's output, without its frame. */
async function picture(output: string): Promise<string[]> {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: 5, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output.replaceAll('\n', '\r\n'), resolve));
  const lines = screenLines(terminal.buffer.active, 0);
  const svg = terminalPicture({ title: 'capstan', lines, columns: COLUMNS });
  return [...svg.matchAll(/<text y=[^>]*>(.*)<\/text>/g)].map(([, line = '']) => line);
}

const span = (text: string, x: number, width: number, classes = '') =>
  `<tspan x="${x}" textLength="${width}" lengthAdjust="spacingAndGlyphs"${classes}>${text}</tspan>`;

describe('terminalPicture', () => {
  it('shows the screen of the terminal, without trailing blanks', async () => {
    expect(await picture('one  \n\n  two\n\n')).toEqual([
      span('one', 18, 25.2),
      '',
      span('  two', 18, 42),
    ]);
  });

  it('keeps colours, bold and dim as classes that follow the colour scheme of the page', async () => {
    expect(await picture('\u001b[32mok\u001b[39m so \u001b[1;31mbold\u001b[0;2m dim')).toEqual([
      span('ok', 18, 16.8, ' class="c2"') +
        span(' so ', 34.8, 33.6) +
        span('bold', 68.4, 33.6, ' class="c1 b"') +
        span(' dim', 102, 33.6, ' class="d"'),
    ]);
    const svg = terminalPicture({ title: 'capstan', lines: [], columns: COLUMNS });
    expect(svg).toContain('@media (prefers-color-scheme: dark)');
  });

  it('gives a wide character two columns', async () => {
    expect(await picture('a東b')).toEqual([
      span('a', 18, 8.4) + span('東', 26.4, 16.8) + span('b', 43.2, 8.4),
    ]);
  });

  it('shows markup as text', async () => {
    expect(await picture('<b> & "c"')).toEqual([span('&lt;b&gt; &amp; &quot;c&quot;', 18, 75.6)]);
  });

  it('breaks a line that is longer than the window where the terminal does', async () => {
    const lines = await picture('abcdefghijklmnopqrstuvwxyz');
    expect(lines).toEqual([span('abcdefghijklmnopqrst', 18, 168), span('uvwxyz', 18, 50.4)]);
  });
});

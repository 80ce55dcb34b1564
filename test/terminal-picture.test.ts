import { describe, expect, it } from 'vitest';
import { terminalPicture } from '../scripts/terminal-picture.ts';

const picture = (output: string, columns = 40, maxLines = 20) =>
  terminalPicture({ title: 'capstan', command: 'capstan run', output, columns, maxLines });

/** The text of each line, without its styles. */
const linesOf = (svg: string) =>
  [...svg.matchAll(/<text [^>]*xml:space[^>]*>(.*)<\/text>/g)].map(([, line = '']) =>
    line.replace(/<[^>]+>/g, ''),
  );

describe('terminalPicture', () => {
  it('shows the command, then what it wrote, without blank lines at the end', () => {
    expect(linesOf(picture('one\n  two\n\n'))).toEqual(['$ capstan run', 'one', '  two']);
  });

  it('colours what the terminal would colour, and drops other control sequences', () => {
    const svg = picture('\u001b[2K\u001b[32mgreen\u001b[39m plain \u001b[1mbold\u001b[22m');
    expect(svg).toContain('<tspan fill="#7ee787">green</tspan><tspan> plain </tspan>');
    expect(svg).toContain('<tspan font-weight="700">bold</tspan>');
    expect(linesOf(svg)[1]).toBe('green plain bold');
  });

  it('shows markup as text', () => {
    expect(linesOf(picture('<b> & "c"'))[1]).toBe('&lt;b&gt; &amp; &quot;c&quot;');
  });

  it.each([
    ['longer than the window', 'abcdefghijklmnopqrstuvwxyz', ['abcdefghijklmnopqrst', 'uvwxyz']],
    ['as long as the window', 'abcdefghijklmnopqrst\nnext', ['abcdefghijklmnopqrst', 'next']],
  ])('breaks a line that is %s', (_length, output, lines) => {
    expect(linesOf(picture(output, 20)).slice(1)).toEqual(lines);
  });

  it('says how much it cut', () => {
    expect(linesOf(picture('1\n2\n3\n4', 40, 3)).at(-1)).toBe('… 2 more lines');
  });
});

/** Neighbouring cells of a terminal in one style. */
export interface Span {
  readonly text: string;
  /** Of its first cell, from 0. */
  readonly column: number;
  /** In cells: a wide character has two. */
  readonly width: number;
  /** Of the terminal's palette: 1 red, 2 green, 3 yellow, 4 blue, 5 magenta, 6 cyan. Default: the text's own. */
  readonly color?: number | undefined;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
}

export interface TerminalPicture {
  readonly title: string;
  readonly lines: readonly (readonly Span[])[];
  readonly columns: number;
  /** The position of the cursor. Default: not shown. */
  readonly cursor?: { readonly column: number; readonly line: number } | undefined;
}

const CHAR_WIDTH = 8.4;
const LINE_HEIGHT = 19;
const PADDING = 18;
const TITLE_HEIGHT = 36;

/** Follows the colour scheme of the page that shows it. */
const STYLE = `
text { font: 14px ui-monospace, 'SF Mono', 'Cascadia Code', 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre; fill: #1f2328 }
.window { fill: #ffffff; stroke: #d1d9e0 } .title { font-size: 13px; fill: #59636e } .cursor { fill: #1f2328; opacity: 0.5 }
.b { font-weight: 700 } .d { fill-opacity: 0.7 }
.c1 { fill: #cf222e } .c2 { fill: #1a7f37 } .c3 { fill: #9a6700 } .c4 { fill: #0969da } .c5 { fill: #8250df } .c6 { fill: #1b7c83 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.window { fill: #0d1117; stroke: #30363d } .title { fill: #7d8590 } .cursor { fill: #e6edf3 }
.d { fill-opacity: 0.6 }
.c1 { fill: #ff7b72 } .c2 { fill: #7ee787 } .c3 { fill: #e3b341 } .c4 { fill: #79c0ff } .c5 { fill: #d2a8ff } .c6 { fill: #76e3ea }
}
`;

const escapeXml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;');

const px = (cells: number) => Math.round(cells * CHAR_WIDTH * 10) / 10;

/** Positioned and stretched to its cells, so that columns are straight in every font. */
function drawSpan({ text, column, width, color, isBold, isDim }: Span): string {
  const classes = [color === undefined ? '' : `c${color}`, isBold ? 'b' : '', isDim ? 'd' : ''];
  const names = classes.filter((name) => name !== '').join(' ');
  const style = names === '' ? '' : ` class="${names}"`;
  const place = `x="${PADDING + px(column)}" textLength="${px(width)}"`;
  return `<tspan ${place} lengthAdjust="spacingAndGlyphs"${style}>${escapeXml(text)}</tspan>`;
}

/** Draws a terminal window as SVG with selectable text, in the light or dark scheme of the reader's page. */
export function terminalPicture({ title, lines, columns, cursor }: TerminalPicture): string {
  const width = Math.ceil(px(columns) + 2 * PADDING);
  const height = TITLE_HEIGHT + lines.length * LINE_HEIGHT + PADDING;
  const texts = lines.map((spans, at) => {
    const y = TITLE_HEIGHT + (at + 1) * LINE_HEIGHT - 5;
    return `<text y="${y}" xml:space="preserve">${spans.map(drawSpan).join('')}</text>`;
  });
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (color, at) => `<circle cx="${PADDING + 6 + at * 20}" cy="18" r="6" fill="${color}"/>`,
  );
  const block = cursor && [
    `<rect class="cursor" x="${PADDING + px(cursor.column)}" y="${TITLE_HEIGHT + cursor.line * LINE_HEIGHT}" width="${CHAR_WIDTH}" height="${LINE_HEIGHT}"/>`,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)} in a terminal">
<style>${STYLE}</style>
<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
${dots.join('')}
<text class="title" x="${width / 2}" y="23" text-anchor="middle">${escapeXml(title)}</text>
${[...texts, ...(block ?? [])].join('\n')}
</svg>
`;
}

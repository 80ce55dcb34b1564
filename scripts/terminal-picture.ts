/** A stretch of text in one style. */
interface Span {
  readonly text: string;
  readonly color: string | undefined;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

export interface TerminalPicture {
  readonly title: string;
  readonly command: string;
  /** What the command wrote; colours as a terminal gets them. */
  readonly output: string;
  readonly columns: number;
  /** Longer lines are cut, with a mark. */
  readonly maxLines: number;
}

const CHAR_WIDTH = 8.41;
const LINE_HEIGHT = 19;
const PADDING = 18;
const TITLE_HEIGHT = 36;
const FONT =
  "ui-monospace, 'SF Mono', 'Cascadia Code', 'DejaVu Sans Mono', Menlo, Consolas, monospace";

/** The eight colours of a terminal, normal and bright. */
const palette = [
  '#7d8590',
  '#ff7b72',
  '#7ee787',
  '#e3b341',
  '#79c0ff',
  '#d2a8ff',
  '#76e3ea',
  '#e6edf3',
];

const plain: Omit<Span, 'text'> = { color: undefined, isBold: false, isDim: false };

function restyle(style: Omit<Span, 'text'>, code: number): Omit<Span, 'text'> {
  if (code === 0) return plain;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 39) return { ...style, color: undefined };
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
    return { ...style, color: palette[code % 10] };
  }
  return style;
}

/** Splits at colour codes; other control sequences are dropped. */
function toSpans(output: string): Span[] {
  const spans: Span[] = [];
  let style = plain;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences begin with one.
  for (const part of output.split(/(\u001b\[[0-9;?]*[A-Za-z])/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences begin with one.
    const codes = /^\u001b\[([0-9;]*)m$/.exec(part);
    if (codes)
      for (const code of (codes[1] || '0').split(';')) style = restyle(style, Number(code));
    else if (!part.startsWith('\u001b')) spans.push({ ...style, text: part });
  }
  return spans;
}

/** One line's spans as lines of `columns` characters at most. */
function wrap(line: readonly Span[], columns: number): Span[][] {
  const lines: Span[][] = [[]];
  let room = columns;
  for (const span of line) {
    for (let rest = span.text; rest !== ''; rest = rest.slice(room), room = columns) {
      lines.at(-1)?.push({ ...span, text: rest.slice(0, room) });
      if (rest.length < room) {
        room -= rest.length;
        break;
      }
      lines.push([]);
    }
  }
  const endsFull = lines.length > 1 && lines.at(-1)?.length === 0;
  return endsFull ? lines.slice(0, -1) : lines;
}

function toLines(spans: readonly Span[], columns: number): Span[][] {
  const lines: Span[][] = [[]];
  for (const span of spans) {
    const [first = '', ...others] = span.text.split(/\r?\n/);
    lines.at(-1)?.push({ ...span, text: first });
    for (const text of others) lines.push([{ ...span, text }]);
  }
  return lines.flatMap((line) => wrap(line, columns));
}

const escapeXml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;');

function drawSpan({ text, color, isBold, isDim }: Span): string {
  const fill = color ? ` fill="${color}"` : '';
  const weight = isBold ? ' font-weight="700"' : '';
  const opacity = isDim ? ' fill-opacity="0.6"' : '';
  return `<tspan${fill}${weight}${opacity}>${escapeXml(text)}</tspan>`;
}

function withoutBlankEnds(lines: readonly Span[][]): Span[][] {
  const isBlank = (line: readonly Span[]) => line.every(({ text }) => text.trim() === '');
  const last = lines.findLastIndex((line) => !isBlank(line));
  return lines.slice(0, last + 1);
}

/** Draws a terminal window as SVG: the command, and what it wrote. */
export function terminalPicture(options: TerminalPicture): string {
  const { title, command, output, columns, maxLines } = options;
  const prompt: Span[] = [
    { ...plain, text: '$ ', color: palette[2] },
    { ...plain, text: `${command}\n`, isBold: true },
  ];
  const all = withoutBlankEnds(toLines([...prompt, ...toSpans(output)], columns));
  const rest = all.length - maxLines;
  const cut: Span = { ...plain, text: `… ${rest} more lines`, isDim: true };
  const lines = rest > 0 ? [...all.slice(0, maxLines), [cut]] : all;

  const width = Math.ceil(columns * CHAR_WIDTH + 2 * PADDING);
  const height = TITLE_HEIGHT + lines.length * LINE_HEIGHT + PADDING;
  const texts = lines.map((line, at) => {
    const y = TITLE_HEIGHT + (at + 1) * LINE_HEIGHT - 5;
    return `<text x="${PADDING}" y="${y}" xml:space="preserve">${line.map(drawSpan).join('')}</text>`;
  });
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (color, at) => `<circle cx="${PADDING + 6 + at * 20}" cy="18" r="6" fill="${color}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)} in a terminal">
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
${dots.join('')}
<text x="${width / 2}" y="23" text-anchor="middle" fill="#7d8590" font-family="${FONT}" font-size="13">${escapeXml(title)}</text>
<g font-family="${FONT}" font-size="14" fill="#e6edf3">
${texts.join('\n')}
</g>
</svg>
`;
}

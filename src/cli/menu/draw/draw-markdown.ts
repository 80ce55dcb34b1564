import { type MarkedToken, marked, type Token, type Tokens } from 'marked';
import wrapAnsi from 'wrap-ansi';
import { escapeProse, escapeText } from '../../../contract/text/escape-text.ts';
import type { Frame } from '../frame.ts';
import { textWidth } from '../terminal/text-width.ts';
import { FIXED_SPACE, wrapProse } from './wrap-prose.ts';

type MarkdownLook = Pick<Frame, 'width' | 'style' | 'symbols'>;

/** Maximum length of text that is rendered, in characters. Longer text is shown as plain text. */
const MAX_CHARS = 500_000;

/**
 * Renders Markdown as lines for a terminal: headings bold, code indented by 2, links as `text (address)`. Everything is escaped,
 * and nothing becomes a hyperlink.
 */
export function drawMarkdown(
  text: string,
  look: MarkdownLook,
  options: TableOptions = {},
): string[] {
  if (text.length > MAX_CHARS) return escapeText(text, true).split('\n');
  return blocks(marked.lexer(text.replaceAll('\r\n', '\n'), { gfm: true }), {
    ...look,
    ...options,
  });
}

interface Look extends MarkdownLook, TableOptions {}

function blocks(tokens: readonly Token[], look: Look): string[] {
  const drawn = tokens
    .filter(({ type }) => type !== 'space' && type !== 'def')
    .map((token) => block(token as MarkedToken, look));
  return drawn.flatMap((lines, index) => (index > 0 ? ['', ...lines] : lines));
}

function block(token: MarkedToken, look: Look): string[] {
  switch (token.type) {
    case 'heading':
      return wrapProse(look.style.bold(inline(token.tokens, look)), look.width);
    case 'code':
      return escapeText(token.text, true)
        .split('\n')
        .map((line) => (line === '' ? '' : `  ${line}`));
    case 'list':
      return token.items.flatMap((item, index) => listItem(item, markerOf(token, index), look));
    case 'blockquote':
      return blocks(token.tokens, { ...look, width: look.width - 2 }).map((line) => `> ${line}`);
    case 'table':
      return table(token, look);
    case 'hr':
      return ['---'];
    case 'paragraph':
    case 'text':
      return wrapProse(inline(token.tokens ?? [token], look), look.width);
    default:
      return escapeText(token.raw, true).trimEnd().split('\n');
  }
}

function table({ header, rows, align }: Tokens.Table, look: Look): string[] {
  const cell = ({ tokens }: Tokens.TableCell) =>
    inline(tokens, look).replaceAll('\n', ' ').replaceAll(FIXED_SPACE, ' ');
  const cells = { header: header.map(cell), rows: rows.map((row) => row.map(cell)), align };
  return drawTable(cells, look);
}

const markerOf = ({ ordered, start }: Tokens.List, index: number): string =>
  ordered ? `${Number(start || 1) + index}. ` : '- ';

function listItem(item: Tokens.ListItem, marker: string, look: Look): string[] {
  const box = item.task ? (item.checked ? '[x] ' : '[ ] ') : '';
  const first = `${marker}${box}`;
  const inner = { ...look, width: Math.max(10, look.width - first.length) };
  const tokens = item.tokens.filter(({ type }) => type !== 'checkbox' && type !== 'space');
  const lines = tokens.flatMap((token) => block(token as MarkedToken, inner));
  const indent = ' '.repeat(first.length);
  return (lines.length > 0 ? lines : ['']).map((line, index) =>
    index === 0 ? `${first}${line}` : line === '' ? '' : `${indent}${line}`,
  );
}

function inline(tokens: readonly Token[], look: Look): string {
  return tokens
    .map((token, at) =>
      isInWord(token, tokens[at - 1]?.raw, tokens[at + 1]?.raw)
        ? plain(token.raw)
        : span(token as MarkedToken, look),
    )
    .join('');
}

/** Stars within a word are no emphasis: `2*3*4`, `2**8`. */
const isInWord = ({ type }: Token, before = '', after = ''): boolean =>
  (type === 'em' || type === 'strong') && /\w$/.test(before) && /^\w/.test(after);

function span(token: MarkedToken, look: Look): string {
  const { style } = look;
  switch (token.type) {
    case 'strong':
      return style.bold(inline(token.tokens, look));
    case 'em':
      return style.italic(inline(token.tokens, look));
    case 'del':
      return style.strike(inline(token.tokens, look));
    case 'codespan':
      return style.cyan(escapeText(token.text).replaceAll(' ', FIXED_SPACE));
    case 'br':
      return '\n';
    case 'link':
      return link(inline(token.tokens, look), token.href);
    case 'image':
      return link(escapeText(token.text), token.href);
    case 'text':
      return token.tokens ? inline(token.tokens, look) : plain(token.text);
    case 'escape':
      return plain(token.text);
    default:
      return plain(token.raw);
  }
}

/** Line breaks of a paragraph stay: models mean them. */
const plain = (text: string): string => escapeProse(text.replace(/\s*\n\s*/g, '\n'));

function link(text: string, address: string): string {
  const shown = escapeText(address);
  return text === shown || shown === `mailto:${text}` ? text : `${text} (${shown})`;
}

/** A table. Each cell is one line that is already escaped and styled. */
interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Alignment of each column. Default: left. */
  readonly align?: readonly ('left' | 'right' | 'center' | null)[];
}

interface TableOptions {
  /** Fold a table of more than 40 rows to 20. Default: false. */
  readonly isFolded?: boolean;
}

const GAP = '  ';
/** Minimum width of a column. */
const MIN_COLUMN = 8;
const MAX_ROWS = 40;
const FOLDED_ROWS = 20;

/** Draws a table without cutting text: cells wrap in their column, or each row becomes `name: value` lines. */
function drawTable(table: Table, { isFolded = false, ...frame }: Look) {
  const hidden = isFolded && table.rows.length > MAX_ROWS ? table.rows.length - FOLDED_ROWS : 0;
  const rows = hidden > 0 ? table.rows.slice(0, FOLDED_ROWS) : table.rows;
  const widths = columnWidths([table.header, ...rows], frame.width);
  const lines = widths
    ? [
        ...rowLines(table.header.map(frame.style.bold), widths, table.align),
        ...rows.flatMap((row) => rowLines(row, widths, table.align)),
      ]
    : rows.flatMap((row, index) => [
        ...(index > 0 ? [''] : []),
        ...table.header.map((name, column) => `${frame.style.bold(name)}: ${row[column] ?? ''}`),
      ]);
  const more = `${frame.symbols.cut} ${hidden.toLocaleString('en')} more rows${frame.symbols.separator}Ctrl-O opens all`;
  return hidden > 0 ? [...lines, frame.style.dim(more)] : lines;
}

/** The width of each column; undefined if the columns do not fit. */
function columnWidths(
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] | undefined {
  const columns = rows[0]?.length ?? 0;
  const natural = Array.from({ length: columns }, (_, column) =>
    Math.max(1, ...rows.map((row) => textWidth(row[column] ?? ''))),
  );
  const least = natural.map((one) => Math.min(one, MIN_COLUMN));
  let over = sum(natural) + GAP.length * (columns - 1) - width;
  if (sum(least) + GAP.length * (columns - 1) > width) return undefined;
  const widths = [...natural];
  while (over > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
  return widths.every((one, column) => one >= (least[column] ?? 0)) ? widths : undefined;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

function rowLines(
  row: readonly string[],
  widths: readonly number[],
  align: Table['align'],
): string[] {
  const cells = widths.map((width, column) =>
    wrapAnsi(row[column] ?? '', width, { hard: true, trim: true }).split('\n'),
  );
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    cells
      .map((lines, column) => pad(lines[index] ?? '', widths[column] ?? 0, align?.[column]))
      .join(GAP)
      .trimEnd(),
  );
}

function pad(cell: string, width: number, align: 'left' | 'right' | 'center' | null = null) {
  const room = ' '.repeat(Math.max(0, width - textWidth(cell)));
  return align === 'right' ? room + cell : cell + room;
}

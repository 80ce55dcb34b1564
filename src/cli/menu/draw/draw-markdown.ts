import { type MarkedToken, marked, type Token, type Tokens } from 'marked';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { Frame } from '../frame.ts';
import { drawTable, type TableOptions } from './draw-table.ts';
import { FIXED_SPACE, wrapProse } from './wrap-prose.ts';

export type MarkdownLook = Pick<Frame, 'width' | 'style' | 'symbols'>;

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
  return drawTable(cells, look, look);
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
  return tokens.map((token) => span(token as MarkedToken, look)).join('');
}

function span(token: MarkedToken, look: Look): string {
  const { style } = look;
  switch (token.type) {
    case 'strong':
      return style.bold(inline(token.tokens, look));
    case 'em':
    case 'del':
      return inline(token.tokens, look);
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

/** Line breaks of a paragraph are spaces. */
const plain = (text: string): string => escapeText(text.replace(/\s*\n\s*/g, ' '));

function link(text: string, address: string): string {
  const shown = escapeText(address);
  return text === shown || shown === `mailto:${text}` ? text : `${text} (${shown})`;
}

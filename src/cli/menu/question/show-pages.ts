import sliceAnsi from 'slice-ansi';
import { counted } from '../../text/format.ts';
import type { Frame } from '../frame.ts';
import { cutEnd, textWidth } from '../terminal/text-width.ts';
import type { QuestionText } from './question-text.ts';

/** Rows that a page of a request leaves free for title, why, key line, budget and prompt. */
const OTHER_ROWS = 9;
const MAX_PAGE_ROWS = 40;

interface PageParts {
  readonly print: (lines: readonly string[]) => void;
  readonly frame: () => Frame;
}

/**
 * Prints a question and the first page of its request. What is left of it, and why it is asked, are live until all was shown
 * or the question ends; then they are printed.
 */
export function printPages({ title, body, why }: QuestionText, { print, frame }: PageParts) {
  let rest: readonly string[] = body;
  const showNext = (head: readonly string[] = []) => {
    const { rows, columns } = frame();
    const page = nextPage(rest, Math.min(MAX_PAGE_ROWS, rows - OTHER_ROWS), columns);
    rest = page.rest;
    print([...head, ...page.lines, ...(rest.length > 0 ? [] : why)]);
  };
  const tail = (now: Frame) => (rest.length > 0 ? [restLine(rest, now), ...why] : []);
  showNext(title);
  return {
    rest: () => rest,
    showNext: () => showNext(),
    /** The live lines above the key line. */
    draw: (now: Frame): readonly string[] =>
      tail(now).map((line) => cutEnd(line, now.width, now.symbols)),
    /** The pager has shown the rest, or the question ends. */
    close() {
      print(tail(frame()));
      rest = [];
    },
  };
}

/** Returns as many lines as fit into `rows` rows of a terminal that wraps lines; at least one row. */
export function nextPage(lines: readonly string[], rows: number, columns: number) {
  const shown: string[] = [];
  let left = Math.max(1, rows);
  for (const [index, line] of lines.entries()) {
    const needs = Math.max(1, Math.ceil(textWidth(line) / columns));
    if (needs <= left) {
      shown.push(line);
      left -= needs;
    } else if (index > 0) {
      return { lines: shown, rest: lines.slice(index) };
    } else {
      const room = left * columns;
      return {
        lines: [sliceAnsi(line, 0, room)],
        rest: [sliceAnsi(line, room), ...lines.slice(1)],
      };
    }
  }
  return { lines: shown, rest: [] };
}

/** `… 4,818 more lines (118 KB) · Space shows more · Ctrl-O opens all of it` */
export function restLine(
  rest: readonly string[],
  { style, symbols }: Pick<Frame, 'style' | 'symbols'>,
): string {
  const bytes = Buffer.byteLength(rest.join('\n'));
  const size = bytes < 1_000 ? counted(bytes, 'byte') : `${Math.round(bytes / 1_000)} KB`;
  const count = `${rest.length.toLocaleString('en')} more ${rest.length === 1 ? 'line' : 'lines'} (${size})`;
  const parts = [`${symbols.cut} ${count}`, 'Space shows more', 'Ctrl-O opens all of it'];
  return style.yellow(`  ${parts.join(symbols.separator)}`);
}

import { escapeText } from '../../../contract/text/escape-text.ts';
import type { Drawn, Frame } from '../frame.ts';
import { cutEnd } from '../terminal/text-width.ts';
import { recalled } from './attach-paste.ts';
import { drawInput } from './draw-input.ts';
import { typed } from './edit.ts';
import { type Candidates, type InputLine, listAt } from './input-line.ts';

/** Maximum number of shown completions. */
const SHOWN_ITEMS = 6;

/** Draws the line with the list below it. `frame.rows` bounds both; the line takes at most 6 of them. */
export function drawLine(
  line: InputLine,
  frame: Frame,
  { candidates, about }: { candidates: Candidates; about: (item: string) => string },
): Drawn {
  const { search, history } = line;
  if (search) {
    const found = search.index === undefined ? '' : (history.entries[search.index] ?? '');
    const { lines, cursor } = drawInput(typed(recalled(found).text), frame, {
      maxRows: Math.min(6, frame.rows),
    });
    const words = `  search: ${escapeText(search.words)}`;
    return { lines: [...lines, cutEnd(words, frame.width, frame.symbols)], cursor };
  }
  const { lines, cursor } = drawInput(line.edited, frame, { maxRows: Math.min(6, frame.rows) });
  const list = listAt(line, candidates);
  if (!list) return { lines, cursor };
  const room = Math.min(SHOWN_ITEMS, frame.rows - lines.length);
  return {
    lines: [...lines, ...drawList(list.items, line.chosen, { frame, room, about })],
    cursor,
  };
}

interface ListLook {
  readonly frame: Frame;
  readonly room: number;
  readonly about: (item: string) => string;
}

function drawList(items: readonly string[], chosen: number, look: ListLook): readonly string[] {
  const { frame, room, about } = look;
  const { symbols, style, width } = frame;
  if (room <= 0) return [];
  const at = Math.min(chosen, items.length - 1);
  const rows = items.length > room ? Math.max(1, room - 1) : room;
  const first = Math.max(0, Math.min(at - rows + 1, items.length - rows));
  const shown = items.slice(first, first + rows).map((item, index) => {
    const isChosen = first + index === at;
    const more = about(item);
    const words = more === '' ? item : `${item.padEnd(12)} ${style.dim(more)}`;
    const row = `${isChosen ? symbols.chosen : ' '} ${words}`;
    return cutEnd(isChosen ? style.bold(row) : row, width, symbols);
  });
  if (rows >= Math.min(room, items.length)) return shown;
  const rest = `  ${symbols.cut} ${items.length - rows} more: type on, or Up and Down`;
  return [...shown, style.dim(cutEnd(rest, width, symbols))];
}

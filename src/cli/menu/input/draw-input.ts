import { blankUnseen } from '../../../contract/text/escape-text.ts';
import type { Drawn, Frame } from '../frame.ts';
import { textWidth } from '../terminal/text-width.ts';
import type { Edited } from './edit.ts';
import { graphemesOf } from './text-places.ts';

export interface InputLook {
  /** Two columns before the first row: `› `. Default: the prompt. */
  readonly prompt?: string;
  /** Maximum number of drawn rows. Default: 6. */
  readonly maxRows?: number;
}

const MAX_ROWS = 6;

/** Draws a text that is being typed, wrapped, with its cursor. A long text shows only the rows around the cursor. */
export function drawInput(edited: Edited, frame: Frame, look: InputLook = {}): Drawn {
  const { symbols, style } = frame;
  const prompt = look.prompt ?? style.bold(symbols.prompt);
  const { rows, place } = wrap(edited, Math.max(1, frame.width - 2));
  const maxRows = look.maxRows ?? MAX_ROWS;
  const first = Math.max(0, Math.min(place.y - maxRows + 1, rows.length - maxRows));
  const shown = rows.slice(first, first + maxRows);
  const lines = shown.map((row, index) => `${first + index === 0 ? prompt : ' '} ${row}`);
  return { lines, cursor: { x: place.x + 2, y: place.y - first } };
}

interface Wrapped {
  readonly rows: readonly string[];
  /** Column and row of the cursor. */
  readonly place: { readonly x: number; readonly y: number };
}

function wrap({ text, cursor }: Edited, width: number): Wrapped {
  const rows: string[] = [''];
  let columns = 0;
  let offset = 0;
  let place = { x: 0, y: 0 };
  const breakRow = () => {
    rows.push('');
    columns = 0;
  };
  for (const grapheme of [...graphemesOf(text), '']) {
    const shown = shownGrapheme(grapheme);
    const wide = textWidth(shown);
    if (columns + Math.max(wide, 1) > width) breakRow();
    if (offset === cursor) place = { x: columns, y: rows.length - 1 };
    offset += grapheme.length;
    if (grapheme === '\n') breakRow();
    else {
      rows[rows.length - 1] += shown;
      columns += wide;
    }
  }
  return { rows, place };
}

/** A character as drawn: an invisible one as a replacement character, a tab as a space. Joined emoji stay joined. */
function shownGrapheme(grapheme: string): string {
  if (grapheme === '\n') return '';
  if (grapheme === '\t') return ' ';
  return /^\p{Extended_Pictographic}/u.test(grapheme) && grapheme.length <= 16
    ? grapheme
    : blankUnseen(grapheme);
}

import { blankUnseen } from '../../../contract/text/escape-text.ts';
import type { Drawn, Frame } from '../frame.ts';
import { textWidth } from '../terminal/text-width.ts';
import type { Edited } from './edit.ts';
import { graphemesOf } from './text-places.ts';

/**
 * Draws a text that is being typed, wrapped, with its cursor. A long text shows only the rows around the cursor.
 *
 * @param look `prompt`: drawn before the first row, two columns wide with a space. `maxRows`: of a long text. Default: 6.
 */
export function drawInput(
  edited: Edited,
  frame: Frame,
  look: { readonly prompt?: string; readonly maxRows?: number } = {},
): Drawn {
  const { prompt = frame.style.bold(frame.symbols.prompt), maxRows = 6 } = look;
  const { rows, place } = wrap(edited, Math.max(1, frame.width - 2));
  const first = Math.max(0, Math.min(place.y - maxRows + 1, rows.length - maxRows));
  const shown = rows.slice(first, first + maxRows);
  const lines = shown.map((row, index) => `${first + index === 0 ? prompt : ' '} ${row}`);
  return { lines, cursor: { x: place.x + 2, y: place.y - first } };
}

/** The rows of a wrapped text, and the column and row of its cursor. */
function wrap({ text, cursor }: Edited, width: number) {
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

import type { Approval } from '../../../contract/approval.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { Drawn, Frame } from '../frame.ts';
import { drawInput } from '../input/draw-input.ts';
import type { Edited } from '../input/edit.ts';
import { cutEnd } from '../terminal/text-width.ts';

/** Draws the line for the reason of a denial. */
export function drawNote(
  note: Edited,
  { capsuleId }: Pick<Approval, 'capsuleId'>,
  frame: Frame,
): Drawn {
  const { style, symbols, width } = frame;
  const { lines, cursor } = drawInput(note, frame);
  const head = `  Denies it, and tells ${escapeText(capsuleId)} why, or what to do instead:`;
  const keys = `  ${['Enter denies', 'Esc back'].join(symbols.separator)}`;
  return {
    lines: [cutEnd(head, width, symbols), ...lines, style.dim(cutEnd(keys, width, symbols))],
    cursor: cursor && { ...cursor, y: cursor.y + 1 },
  };
}

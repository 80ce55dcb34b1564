import { escapeText } from '../../../contract/text/escape-text.ts';
import { type DiffLine, unifiedDiff } from '../../../contract/text/unified-diff.ts';
import { withoutReturns } from '../../text/change-text.ts';
import type { Frame } from '../frame.ts';

/**
 * Draws a unified diff as lines: `  13 -     return …`, with the line numbers of the file, in red and green. Each of
 * several files is named. No line is cut.
 */
export function drawDiff(diff: string, { style }: Pick<Frame, 'style'>): string[] {
  const lines = unifiedDiff(withoutReturns(diff));
  const digits = Math.max(2, ...lines.map((line) => String(numberOf(line)).length));
  return lines.map((line) => {
    const { sign, text } = line;
    if (sign === 'gap' || sign === 'other') return text === '' ? '' : `  ${shown(text)}`;
    const number = String(numberOf(line)).padStart(digits);
    const drawn = `  ${number} ${sign} ${shown(text)}`.trimEnd();
    if (sign === ' ') return drawn;
    return sign === '-' ? style.red(drawn) : style.green(drawn);
  });
}

/** The number in the new file; of a removed line in the old one. */
const numberOf = (line: DiffLine): number | '' =>
  'after' in line || 'before' in line ? (line.after ?? line.before ?? '') : '';

const shown = (text: string): string => escapeText(text.replaceAll('\t', '    '));

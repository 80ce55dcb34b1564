import { printable } from '../../contract/text/printable.ts';
import type { Style } from '../style.ts';

/** One line of a unified diff in its colour, escaped and cut to `maxChars`. */
export function paintDiff(line: string, style: Style, maxChars = Number.POSITIVE_INFINITY): string {
  const shown = printable(line.replaceAll('\t', '    '), maxChars);
  if (line.startsWith('+')) return style.green(shown);
  if (line.startsWith('-')) return style.red(shown);
  return line.startsWith('@@') ? style.cyan(shown) : shown;
}

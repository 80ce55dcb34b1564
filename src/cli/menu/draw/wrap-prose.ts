import wrapAnsi from 'wrap-ansi';

/** A space that lines are not broken at. */
export const FIXED_SPACE = '\u00a0';

/**
 * Breaks text at spaces into lines of at most `width` columns. A longer word, such as a path or an address, stays whole:
 * the terminal wraps it, so that a copy is one line.
 *
 * @param first What the first line begins with, in plain text. Later lines are indented by as many columns.
 */
export function wrapProse(text: string, width: number, first = ''): string[] {
  const room = Math.max(10, width - first.length);
  const lines = text
    .split('\n')
    .flatMap((line) => wrapAnsi(line, room, { hard: false, trim: true }).split('\n'))
    .map((line) => line.replaceAll(FIXED_SPACE, ' '));
  const indent = ' '.repeat(first.length);
  return lines.map((line, index) => (index === 0 ? first : line === '' ? '' : indent) + line);
}

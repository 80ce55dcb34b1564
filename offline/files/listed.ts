import type { Outcome } from '../context.ts';

/** `1 file`, `2 files`. */
export const many = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : one.endsWith('s') ? 'es' : 's'}`;

/** A title with the lines below it, if there are any. */
export const listed = (
  title: string,
  lines: readonly string[],
  data: Outcome['data'],
): Outcome => ({
  text: lines.length === 0 ? `${title}.` : `${title}:\n\n${lines.join('\n')}`,
  data,
});

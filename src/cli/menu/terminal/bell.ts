import type { CommandIo } from '../../command.ts';

/**
 * Returns the sequence that alerts the person: a notification (OSC 9) outside tmux, else the bell. Empty with
 * `CAPSTAN_BELL=0`.
 *
 * @param words Fixed text. Text of capsules would need escaping.
 */
export function bell(
  words: string,
  { TMUX, TERM, CAPSTAN_BELL }: CommandIo['environment'],
): string {
  if (CAPSTAN_BELL === '0') return '';
  const isPlain = TMUX !== undefined || /^(?:tmux|screen|linux)/.test(TERM ?? '');
  return isPlain ? '\u0007' : `\u001b]9;${words}\u0007`;
}

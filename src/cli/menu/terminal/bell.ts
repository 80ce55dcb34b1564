import type { CommandIo } from '../../command.ts';

/**
 * The sequence that alerts the person: a notification (OSC 9) outside tmux, else the bell. Empty with
 * `CAPSTAN_BELL=0`.
 *
 * @param words Our own words, without text of agents: a notification is not ours to escape.
 */
export function bell(
  words: string,
  { TMUX, TERM, CAPSTAN_BELL }: CommandIo['environment'],
): string {
  if (CAPSTAN_BELL === '0') return '';
  const isPlain = TMUX !== undefined || /^(?:tmux|screen|linux)/.test(TERM ?? '');
  return isPlain ? '\u0007' : `\u001b]9;${words}\u0007`;
}

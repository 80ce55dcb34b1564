import type { CommandIo } from '../../command.ts';

/** Symbols of the terminal, one column each except `cut` in ASCII. A word always accompanies them. */
export type Symbols = Readonly<typeof unicodeSymbols>;

/** Symbols for terminals with UTF-8. */
export const unicodeSymbols = {
  isAscii: false,
  /** Frames of the spinner. */
  spinner: [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'],
  /** Replaces the spinner with reduced motion. */
  still: '*',
  waiting: '○',
  skipped: '–',
  done: '✓',
  failed: '✗',
  question: '?',
  parked: '‖',
  notice: '!',
  /** Precedes typed text. */
  prompt: '›',
  chosen: '▸',
  barFull: '█',
  barRest: '░',
  /** Between facts of one line. */
  separator: ' · ',
  cut: '…',
};

/** Symbols for terminals without UTF-8. */
export const asciiSymbols: Symbols = {
  isAscii: true,
  spinner: [...'-\\|/'],
  still: '*',
  waiting: 'o',
  skipped: '-',
  done: '+',
  failed: 'x',
  question: '?',
  parked: '=',
  notice: '!',
  prompt: '>',
  chosen: '>',
  barFull: '#',
  barRest: '.',
  separator: ', ',
  cut: '...',
};

/** Selects ASCII if the locale is not UTF-8, on the Linux console, or with `CAPSTAN_ASCII=1`. No locale: Unicode. */
export function symbolsFor(environment: CommandIo['environment']): Symbols {
  const { LC_ALL, LC_CTYPE, LANG, TERM, CAPSTAN_ASCII } = environment;
  const locale = LC_ALL || LC_CTYPE || LANG || 'UTF-8';
  const isAscii = CAPSTAN_ASCII === '1' || TERM === 'linux' || !/utf-?8/i.test(locale);
  return isAscii ? asciiSymbols : unicodeSymbols;
}

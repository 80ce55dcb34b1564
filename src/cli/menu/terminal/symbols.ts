import type { CommandIo } from '../../command.ts';

/** Symbols of the terminal, one column each except `cut` in ASCII. A word always accompanies them. */
export interface Symbols {
  readonly isAscii: boolean;
  /** Frames of the spinner. */
  readonly spinner: readonly string[];
  /** Replaces the spinner with reduced motion. */
  readonly still: string;
  readonly waiting: string;
  readonly skipped: string;
  readonly done: string;
  readonly failed: string;
  readonly question: string;
  readonly parked: string;
  readonly notice: string;
  /** Precedes typed text. */
  readonly prompt: string;
  readonly chosen: string;
  readonly barFull: string;
  readonly barRest: string;
  /** Between facts of one line, with a space on each side: ` · `, `, `. */
  readonly separator: string;
  readonly cut: string;
}

/** Symbols for terminals with UTF-8. */
export const unicodeSymbols: Symbols = {
  isAscii: false,
  spinner: [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'],
  still: '*',
  waiting: '○',
  skipped: '–',
  done: '✓',
  failed: '✗',
  question: '?',
  parked: '‖',
  notice: '!',
  prompt: '›',
  chosen: '▸',
  barFull: '█',
  barRest: '░',
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

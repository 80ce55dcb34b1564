import type { CommandIo } from '../command.ts';

export type Style = ReturnType<typeof createStyle>;

/** Colours for a terminal. `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb` override the default (no-color.org). */
export function createStyle(environment: CommandIo['environment'], isTerminal: boolean) {
  const isForced = Boolean(environment['FORCE_COLOR']) && environment['FORCE_COLOR'] !== '0';
  const isOff = Boolean(environment['NO_COLOR']) || environment['TERM'] === 'dumb';
  const isOn = isForced || (isTerminal && !isOff);
  const paint = (open: number, close: number) => (text: string) =>
    isOn ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  /** A style that is said with marks where there is none. */
  const paintOrMark = (open: number, close: number, mark: string) =>
    isOn ? paint(open, close) : (text: string) => `${mark}${text}${mark}`;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    /** `*text*` without styles. */
    italic: paintOrMark(3, 23, '*'),
    /** `~~text~~` without styles. */
    strike: paintOrMark(9, 29, '~~'),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}

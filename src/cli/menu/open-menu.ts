import type { CommandIo } from '../command.ts';
import type { MenuOptions } from './program/open-program.ts';
import { loadInk } from './terminal/load-ink.ts';

/**
 * Opens the interactive program: a conversation in the current folder. Only for a terminal.
 *
 * @returns The exit code: 0, or 3 if it parked a run; 129, 130 or 143 after a signal.
 */
export async function openMenu(io: CommandIo, options: MenuOptions = {}): Promise<number> {
  if (isPlain(io)) return (await import('./open-plain-menu.ts')).openPlainMenu(io);
  const [{ openProgram }] = await Promise.all([import('./program/open-program.ts'), loadInk()]);
  return openProgram(io, options);
}

/** Nothing is redrawn: for screen readers, and for terminals that can't. */
const isPlain = ({ environment }: CommandIo): boolean =>
  environment['CAPSTAN_PLAIN'] === '1' || environment['TERM'] === 'dumb';

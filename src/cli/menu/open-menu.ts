import type { CommandIo } from '../command.ts';
import { loadInk } from './terminal/load-ink.ts';

export interface MenuOptions {
  /** Run first, as if it had been typed. */
  readonly task?: string | undefined;
}

/**
 * Opens the interactive program: a conversation in the current folder. Only for a terminal.
 *
 * @returns The exit code: 0, or 3 if it parked a run; 129, 130 or 143 after a signal.
 */
export async function openMenu(io: CommandIo, options: MenuOptions = {}): Promise<number> {
  const [{ openProgram }] = await Promise.all([import('./program/open-program.ts'), loadInk()]);
  return openProgram(io, options);
}

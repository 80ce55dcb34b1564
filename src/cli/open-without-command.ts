import type { CommandIo } from './command.ts';
import { exitCodes } from './errors/exit-codes.ts';

/** `capstan` without a command: the interactive program on a terminal, else help. Returns the exit code. */
export async function openWithoutCommand(io: CommandIo, help: () => string): Promise<number> {
  if (io.isTerminal && io.isOutputTerminal) {
    const { openMenu } = await import('./menu/open-menu.ts');
    return openMenu(io);
  }
  io.stdout(help());
  return exitCodes.completed;
}

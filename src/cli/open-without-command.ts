import type { CommandIo } from './command.ts';
import { exitCodes } from './errors/exit-codes.ts';

/** `capstan` without arguments. Returns the exit code. */
export async function openWithoutCommand(io: CommandIo, help: () => string): Promise<number> {
  io.stdout(help());
  return exitCodes.completed;
}

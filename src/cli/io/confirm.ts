import { createInterface } from 'node:readline';
import { AppError } from '../../contract/errors.ts';
import type { CommandIo } from '../command.ts';

/**
 * Asks a yes-or-no question at the terminal. Every answer except `y` and `yes` is a no.
 *
 * @throws AppError `USAGE` if there is no terminal, naming `--yes`.
 */
export async function confirm(question: string, io: CommandIo): Promise<boolean> {
  if (!io.isTerminal) {
    throw new AppError('USAGE', {
      problem: 'There is no terminal to ask at. Use `--yes` to continue without a question.',
    });
  }
  io.stderr(`${question} [y/N] `);
  const lines = createInterface({ input: io.input ?? process.stdin });
  try {
    for await (const line of lines) return /^\s*y(es)?\s*$/i.test(line);
    return false;
  } finally {
    lines.close();
  }
}

import { createInterface } from 'node:readline';
import { AppError } from '../contract/errors.ts';
import type { CommandIo } from './command.ts';

/**
 * Asks the person at the terminal for a yes. Anything else is a no.
 *
 * @throws AppError `USAGE` where nobody is there, naming `--yes`.
 */
export async function confirm(question: string, io: CommandIo): Promise<boolean> {
  if (!io.isTerminal) {
    throw new AppError('USAGE', {
      problem: 'Nobody is here to answer. Say --yes to go ahead without a question.',
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

import { createInterface } from 'node:readline';
import { usage } from '../../contract/usage.ts';
import type { CommandIo } from '../command.ts';

/** Asks a question at the terminal. Every answer except `y` and `yes` declines. @throws AppError `USAGE`, naming `--yes`. */
export async function confirm(question: string, io: CommandIo): Promise<boolean> {
  if (!io.isTerminal)
    throw usage('There is no terminal for questions. Use `--yes` to continue without a question.');
  io.stderr(`${question} [y/N] `);
  const lines = createInterface({ input: io.input ?? process.stdin });
  try {
    for await (const line of lines) return /^\s*y(es)?\s*$/i.test(line);
    return false;
  } finally {
    lines.close();
  }
}

/** Whether `--yes` or the person agrees; prints `otherwise` if not. @throws AppError `USAGE` as `confirm` does. */
export async function isAgreed(
  { has, io }: { has(option: string): boolean; readonly io: CommandIo },
  question: string,
  otherwise: string,
): Promise<boolean> {
  if (has('yes') || (await confirm(question, io))) return true;
  io.stderr(`${otherwise}\n`);
  return false;
}

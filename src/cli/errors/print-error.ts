import { escapeText } from '../../contract/text/escape-text.ts';
import type { CommandIo } from '../command.ts';
import { withShortIds } from '../text/short-id.ts';
import { nextOf } from './error-document.ts';
import { errorMessage } from './error-message.ts';
import { commandLinesOf } from './next-command.ts';

/** Prints a failure on stderr: its message, then one line for each command that may help. */
export function printError({ stderr }: Pick<CommandIo, 'stderr'>, error: unknown): void {
  const commands = nextOf(error).flatMap(commandLinesOf);
  const lines = [
    `capstan: ${withShortIds(errorMessage(error))}`,
    ...commands.map((command) => `  ${command}`),
  ];
  stderr(`${escapeText(lines.join('\n'), true)}\n`);
}

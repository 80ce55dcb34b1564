import { escapeText } from '../../contract/text/escape-text.ts';
import type { CommandIo } from '../command.ts';
import { symbolsFor } from '../menu/terminal/symbols.ts';
import { withShortIds } from '../text/short-id.ts';
import { createStyle } from '../text/style.ts';
import { errorMessage } from './error-document.ts';
import { triesOf } from './tries-of.ts';

type ErrorIo = Pick<CommandIo, 'stderr'> & Partial<Pick<CommandIo, 'environment' | 'isTerminal'>>;

/** Prints a failure on stderr: its message, then the command lines to type next. Default: those that the error names. */
export function printError(
  { stderr, environment = {}, isTerminal = false }: ErrorIo,
  error: unknown,
  tries: readonly string[] = triesOf(error),
): void {
  const { red } = createStyle(environment, isTerminal);
  const message = escapeText(withShortIds(errorMessage(error)), true);
  const lines = tries.map((line, at) => `  ${at === 0 ? 'Try: ' : '     '}${escapeText(line)}\n`);
  stderr(`${red(symbolsFor(environment).failed)} ${message}\n${lines.join('')}`);
}

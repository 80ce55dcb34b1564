import { escapeText } from '../../../../contract/text/escape-text.ts';
import type { Frame } from '../../frame.ts';
import type { PartContext } from '../part-context.ts';

/** Prints a typed line into the scrollback. */
export const echo = ({ print, frame }: Pick<PartContext, 'print' | 'frame'>, text: string): void =>
  print(echoLines(text, frame()).join('\n'));

/** A typed line as it is in the scrollback. */
export function echoLines(text: string, { style, symbols }: Frame): string[] {
  const [first = '', ...rest] = escapeText(text, true).split('\n');
  return [`${style.bold(symbols.prompt)} ${first}`, ...rest.map((line) => `  ${line}`)];
}

import { escapeText } from '../../../../contract/text/escape-text.ts';
import type { PartContext } from '../create-context.ts';

/** Prints a typed line into the scrollback. */
export function echo({ print, frame }: Pick<PartContext, 'print' | 'frame'>, text: string): void {
  const { style, symbols } = frame();
  const [first = '', ...rest] = escapeText(text, true).split('\n');
  const lines = [`${style.bold(symbols.prompt)} ${first}`, ...rest.map((line) => `  ${line}`)];
  print(lines.join('\n'));
}

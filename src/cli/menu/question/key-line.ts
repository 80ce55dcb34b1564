import { escapeText } from '../../../contract/text/escape-text.ts';
import { FIXED_SPACE, wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';
import { cutEnd } from '../terminal/text-width.ts';
import { needsAll, type QuestionKey } from './question-keys.ts';

/** The key line: `y allow once  Y always  n deny once …`; two lines where it is narrow. */
export function keyLine(
  keys: readonly QuestionKey[],
  isAllShown: boolean,
  frame: Frame,
): readonly string[] {
  const { style, symbols, width } = frame;
  const open = keys.filter(({ does }) => isAllShown || !needsAll(does));
  const later = keys.filter((one) => !open.includes(one)).map(({ key }) => key);
  const words = open.map(
    ({ key, words: text }) => `${style.bold(key)}${FIXED_SPACE}${fixed(escapeText(text))}`,
  );
  const note =
    later.length > 0
      ? ` ${fixed(`${symbols.separator.trim()} ${later.join(', ')} when all was shown`)}`
      : '';
  const line = `${words.join(`${FIXED_SPACE} `)}${note}`;
  return wrapProse(line, width - 2).map((one) => cutEnd(`  ${one.trimEnd()}`, width, symbols));
}

const fixed = (text: string): string => text.replaceAll(' ', FIXED_SPACE);

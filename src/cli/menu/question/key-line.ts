import { escapeText } from '../../../contract/text/escape-text.ts';
import { needsAll, type QuestionKey } from '../../approval/question-keys.ts';
import { FIXED_SPACE, fixed, wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';
import { cutEnd } from '../terminal/text-width.ts';

/** Draws the key line: `y allow once  Y always  n deny once …`; two lines on a narrow terminal. */
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
      ? ` ${fixed(`${symbols.separator.trim()} ${later.join(', ')} after all is shown (Ctrl-O shows it)`)}`
      : '';
  const line = `${words.join(`${FIXED_SPACE} `)}${note}`;
  return wrapProse(line, width - 2).map((one) => cutEnd(`  ${one.trimEnd()}`, width, symbols));
}

/** `Ignored what you typed. Type 1, 2 or ?`: the line below the key line after a word or another key. */
export function noKeyLine(
  keys: readonly Pick<QuestionKey, 'key'>[],
  { style, width, symbols }: Pick<Frame, 'style' | 'width' | 'symbols'>,
): string {
  const names = keys.map(({ key }) => key);
  const text = `Ignored what you typed. Type ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return style.dim(cutEnd(`  ${text}`, width, symbols));
}

import { deferred } from '../../io/deferred.ts';
import type { Drawn, Frame } from '../frame.ts';
import { holdKeys } from '../question/hold-keys.ts';
import { noKeyLine } from '../question/key-line.ts';
import { isCtrl, isKey, type KeyInput, plainText } from '../terminal/key.ts';
import { cutEnd } from '../terminal/text-width.ts';

export type ConfirmPart = ReturnType<typeof openConfirm>;

const KEYS = [{ key: 'y' }, { key: 'n' }];

/**
 * Opens a yes-or-no question. Esc, Ctrl-C and Ctrl-D answer no. Pastes, letters of a word and keys that come right after it
 * appeared do not count.
 */
export function openConfirm(question: string, redraw: () => void) {
  const { promise: answer, resolve } = deferred<boolean>();
  let isIgnored = false;
  const keys = holdKeys((input, isInWord) => {
    const key = plainText(input);
    isIgnored = isInWord || !KEYS.some((one) => one.key === key);
    if (!isIgnored) resolve(key === 'y');
    redraw();
  }, redraw);
  return {
    draw(frame: Frame): Drawn {
      const { style, symbols, width } = frame;
      const mark = style.bold(style.yellow(symbols.question));
      const named = keys.isUnread() ? '' : `  ${style.bold('y')} yes  ${style.bold('n')} no`;
      const line = cutEnd(`${mark} ${question}${named}`, width, symbols);
      return { lines: isIgnored ? [line, noKeyLine(KEYS, frame)] : [line] };
    },
    onKey(input: KeyInput) {
      if (isKey(input, 'esc') || isCtrl(input, 'c') || isCtrl(input, 'd')) resolve(false);
      else if (plainText(input) !== undefined) keys.onCharacter(input);
    },
    answer,
  };
}

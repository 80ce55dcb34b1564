import { deferred } from '../../io/deferred.ts';
import type { Drawn, Frame } from '../frame.ts';
import { isCtrl, isKey, type KeyInput, plainText } from '../terminal/key.ts';
import { cutEnd } from '../terminal/text-width.ts';

export type ConfirmPart = ReturnType<typeof openConfirm>;

/** Opens a yes-or-no question. Esc, Ctrl-C and Ctrl-D answer no. */
export function openConfirm(question: string) {
  const { promise: answer, resolve } = deferred<boolean>();
  return {
    draw: ({ style, symbols, width }: Frame): Drawn => ({
      lines: [
        cutEnd(
          `${style.bold(style.yellow(symbols.question))} ${question}  ${style.bold('y')} yes  ${style.bold('n')} no`,
          width,
          symbols,
        ),
      ],
    }),
    onKey(input: KeyInput) {
      const key = plainText(input);
      const isLeave = isKey(input, 'esc') || isCtrl(input, 'c') || isCtrl(input, 'd');
      if (key === 'y') resolve(true);
      else if (key === 'n' || isLeave) resolve(false);
    },
    answer,
  };
}

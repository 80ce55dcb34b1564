import type { MenuContext } from '../../menu-context.ts';
import { openConfirm } from '../../program/confirm-part.ts';
import { isKey } from '../../terminal/key.ts';

/** Asks for y or n in place of the open view, which comes back. Resolves false for `n`, Esc and Ctrl-C. */
export async function confirmView(context: MenuContext, question: string): Promise<boolean> {
  const part = openConfirm(question);
  let isOpen = true;
  let leave = () => {};
  const left = new Promise<false>((resolve) => {
    leave = () => resolve(false);
  });
  context.openView({
    draw: (frame) => part.draw(frame),
    onKey(input) {
      if (isKey(input, 'esc')) leave();
      else part.onKey(input);
    },
    onClose() {
      isOpen = false;
      leave();
    },
  });
  const isYes = await Promise.race([part.answer, left]);
  if (isOpen) context.closeView();
  return isYes;
}

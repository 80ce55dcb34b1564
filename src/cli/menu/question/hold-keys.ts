import type { KeyInput } from '../terminal/key.ts';

/** A key counts if no other character follows within this time, in milliseconds. Otherwise, both belong to a word. */
const HOLD_MS = 200;

/** A question that was printed less than this time ago, in milliseconds, takes no key: nobody has read it yet. */
const UNREAD_MS = 300;

/**
 * Tells a key of a question from the letters of a sentence that a person types while the question appears.
 *
 * @param press Takes a character, and whether it belongs to a word.
 */
export function holdKeys(press: (input: KeyInput, isInWord: boolean) => void, redraw: () => void) {
  const openedMs = Date.now();
  let held: NodeJS.Timeout | undefined;
  let isInWord = false;
  const isUnread = () => Date.now() - openedMs < UNREAD_MS;
  setTimeout(redraw, UNREAD_MS);
  return {
    /** Whether the question takes no key yet. */
    isUnread,
    onCharacter(input: KeyInput): void {
      isInWord ||= held !== undefined || isUnread();
      clearTimeout(held);
      held = setTimeout(() => {
        press(input, isInWord);
        held = undefined;
        isInWord = false;
      }, HOLD_MS);
    },
  };
}

import { type KeyInput, plainText } from '../terminal/key.ts';

/** A key counts if no other character follows within this time, in milliseconds. Otherwise, both belong to a word. */
export const HOLD_MS = 350;

/** Space belongs to a sentence up to this time after a letter, in milliseconds. */
const SENTENCE_MS = 500;

/** A question that was printed less than this time ago, in milliseconds, takes no key: nobody has read it yet. */
const UNREAD_MS = 300;

/**
 * Tells a key of a question from the letters of a sentence that a person types while the question appears.
 *
 * @param press Takes a character, and whether it belongs to a word.
 */
export function holdKeys(press: (input: KeyInput, isInWord: boolean) => void, redraw: () => void) {
  const openedMs = Date.now();
  let held: { readonly text: string | undefined; readonly timer: NodeJS.Timeout } | undefined;
  let isInWord = false;
  let letterMs = 0;
  const isUnread = () => Date.now() - openedMs < UNREAD_MS;
  setTimeout(redraw, UNREAD_MS);
  return {
    /** Whether the question takes no key yet. */
    isUnread,
    onCharacter(input: KeyInput): void {
      const text = plainText(input);
      if (text === ' ' && Date.now() - letterMs >= SENTENCE_MS) {
        press(input, false);
        return;
      }
      if (text !== ' ') letterMs = Date.now();
      // The same key twice is impatience, no word.
      isInWord ||= (held !== undefined && held.text !== text) || isUnread();
      clearTimeout(held?.timer);
      const timer = setTimeout(() => {
        press(input, isInWord);
        held = undefined;
        isInWord = false;
      }, HOLD_MS);
      held = { text, timer };
    },
  };
}

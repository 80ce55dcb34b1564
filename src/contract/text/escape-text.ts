/**
 * Makes untrusted text safe to print in a terminal: control, bidirectional and other invisible characters and lone
 * surrogates are replaced by their escapes.
 *
 * @param keepLines Keep line breaks and tabs. Default: false.
 */
export const escapeText = (text: string, keepLines = false): string =>
  replaceUnseen(text, escapeOf, keepLines);

/** The same for the prose of a model: the joiners and the variation selectors within an emoji stay. Keeps lines. */
export const escapeProse = (text: string): string => replaceInProse(text, escapeOf);

/** The same with another replacement. */
export const replaceInProse = (
  text: string,
  replacementOf: (character: string) => string,
): string =>
  isSeen(text, true)
    ? text
    : text
        .split(EMOJI_PART)
        .map((part, at) => (at % 2 === 1 ? part : replaceUnseen(part, replacementOf, true)))
        .join('');

/** A joiner between two emoji, or the selector of the coloured form after one or within a keycap. */
const EMOJI_PART =
  /((?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3))/u;

/** The same for control and bidirectional characters only: other invisible ones belong to words and emoji. Keeps lines. */
export const escapeControls = (text: string): string =>
  // Control characters but line breaks and tabs, and Bidi_Control (unicode.org/reports/tr9).
  isSeen(text, true) ? text : text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, escapeOf);

/** Replaces each such character by U+FFFD, so that the text does not get longer. Line breaks and tabs stay. */
export const blankUnseen = (text: string): string => replaceUnseen(text, () => '\ufffd', true);

/** Replaces each such character by the result of `replacementOf`. */
export function replaceUnseen(
  text: string,
  replacementOf: (character: string) => string,
  keepLines = false,
): string {
  if (isSeen(text, keepLines)) return text;
  // Default_Ignorable_Code_Point (unicode.org/reports/tr44): characters that a terminal does not draw, such as joiners and
  // fillers; and the empty Braille pattern, U+2800.
  const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
  return text.replace(unseen, (character) =>
    keepLines && (character === '\n' || character === '\t') ? character : replacementOf(character),
  );
}

/** Whether a text has only visible ASCII characters. The classes of all others take a millisecond to compile. */
const isSeen = (text: string, keepLines: boolean): boolean =>
  (keepLines ? /^[\n\t -~]*$/ : /^[ -~]*$/).test(text);

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

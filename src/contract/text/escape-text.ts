/**
 * Makes untrusted text safe to print in a terminal: control, bidirectional and other invisible characters and lone
 * surrogates are replaced by their escapes.
 *
 * @param keepLines Keep line breaks and tabs. Default: false.
 */
export const escapeText = (text: string, keepLines = false): string =>
  replaceUnseen(text, escapeOf, keepLines);

/** The same for control and bidirectional characters only: other invisible ones belong to words and emoji. Keeps lines. */
export const escapeControls = (text: string): string => text.replace(CONTROLS, escapeOf);

/** Control characters but line breaks and tabs, and Bidi_Control (unicode.org/reports/tr9). */
const CONTROLS = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** Replaces each such character by U+FFFD, so that the text does not get longer. Line breaks and tabs stay. */
export const blankUnseen = (text: string): string => replaceUnseen(text, () => '\ufffd', true);

/** Replaces each such character by the result of `replacementOf`. */
export function replaceUnseen(
  text: string,
  replacementOf: (character: string) => string,
  keepLines = false,
): string {
  return text.replace(UNSEEN, (character) =>
    keepLines && (character === '\n' || character === '\t') ? character : replacementOf(character),
  );
}

/** Default_Ignorable_Code_Point (unicode.org/reports/tr44): characters that a terminal does not draw, such as joiners and fillers; and the empty Braille pattern, U+2800. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

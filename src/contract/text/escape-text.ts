/**
 * Makes text of unknown origin safe to show in a terminal: control, bidirectional and other invisible characters, and
 * halves of characters, are shown as their escapes. Line breaks and tabs stay where `keepLines` is set.
 */
export const escapeText = (text: string, keepLines = false): string =>
  replaceUnseen(text, escapeOf, keepLines);

/** The same with U+FFFD for each such character, so that no text gets longer; line breaks and tabs stay. */
export const blankUnseen = (text: string): string => replaceUnseen(text, () => '\ufffd', true);

/** The same with each such character replaced by something else. */
export function replaceUnseen(
  text: string,
  replacementOf: (character: string) => string,
  keepLines = false,
): string {
  return text.replace(UNSEEN, (character) =>
    keepLines && (character === '\n' || character === '\t') ? character : replacementOf(character),
  );
}

/** Default_Ignorable_Code_Point: what a terminal draws as nothing (unicode.org/reports/tr44), joiners and fillers among it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** The text on one line, with every character that could forge or hide text escaped, cut after `maxLength`. */
export function printable(text: string, maxLength = 200): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, escapeOf);
}

/** Whether a value holds a line break or another control character. */
export const hasControlCharacter = (text: string): boolean => /[\p{Cc}\u2028\u2029]/u.test(text);

const escapeOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

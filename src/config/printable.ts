/** Control, bidi and invisible characters: what could forge or hide text on a terminal. */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The text on one line, with every character that could mislead escaped, cut after `maxLength`. */
export function printable(text: string, maxLength = 200): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.replace(unprintable, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Whether a value holds a line break or another control character, once trimmed. */
export const hasControlCharacter = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text);

/**
 * Makes text of unknown origin safe to show in a terminal: control, format and bidirectional characters are shown as
 * their escapes. Line breaks and tabs stay where `keepLines` is set.
 */
export function escapeText(text: string, keepLines = false): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    keepLines && (character === '\n' || character === '\t') ? character : escapeOf(character),
  );
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

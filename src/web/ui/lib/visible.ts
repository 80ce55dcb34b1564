/** Control, bidirectional and invisible characters, including line feed and tab. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800]/gu;

/** Shows characters that are invisible or reorder text as `⟦U+202E⟧`. Line feeds and tabs stay. */
export const visible = (text: string): string =>
  text.replace(hidden, (char) => {
    if (char === '\n' || char === '\t') return char;
    const code = char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `⟦U+${code}⟧`;
  });

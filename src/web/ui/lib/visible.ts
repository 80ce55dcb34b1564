/** Control, bidirectional and invisible characters, without line feed and tab. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800]/gu;

/** Text of others with characters that can't be seen, or that reorder what is seen, as `⟦U+202E⟧`. */
export const visible = (text: string): string =>
  text.replace(hidden, (char) => {
    if (char === '\n' || char === '\t') return char;
    const code = char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `⟦U+${code}⟧`;
  });

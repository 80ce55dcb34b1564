/** Controls but tab and line feed, and what turns the direction of writing. */
const unsafe = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

/** Text of a capsule made safe for a terminal: each control or direction character becomes U+FFFD. */
export const printable = (text: string): string => text.replace(unsafe, '\ufffd');

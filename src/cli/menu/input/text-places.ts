const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The graphemes of a text: the characters as a person perceives them. */
export const graphemesOf = (text: string): readonly string[] =>
  /^[\n -~]*$/.test(text) ? [...text] : Array.from(graphemes.segment(text), (one) => one.segment);

/** Search range for a grapheme around the cursor, in UTF-16 units. */
const NEAR = 64;

/** The offset before the grapheme that ends at the cursor. Offsets are UTF-16 units and never inside a grapheme. */
export function previousChar(text: string, cursor: number): number {
  const last = graphemesOf(text.slice(Math.max(0, cursor - NEAR), cursor)).at(-1);
  return cursor - (last?.length ?? 0);
}

/** The offset after the grapheme that begins at the cursor. */
export function nextChar(text: string, cursor: number): number {
  const [first] = graphemesOf(text.slice(cursor, cursor + NEAR));
  return cursor + (first?.length ?? 0);
}

/** The start of the word before the cursor. */
export const previousWord = (text: string, cursor: number): number =>
  cursor -
  (/[\p{L}\p{N}\p{M}_]*[^\p{L}\p{N}\p{M}_]*$/u.exec(text.slice(0, cursor))?.[0].length ?? 0);

/** The end of the word after the cursor. */
export const nextWord = (text: string, cursor: number): number =>
  cursor + (/^[^\p{L}\p{N}\p{M}_]*[\p{L}\p{N}\p{M}_]*/u.exec(text.slice(cursor))?.[0].length ?? 0);

/** The offset of the first character of the line. */
export const lineStart = (text: string, cursor: number): number =>
  cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;

/** The offset of the line break that ends the line, or the length of the text. */
export function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

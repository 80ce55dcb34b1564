/** Longest cell shown in a table for people. */
const MAX_CELL_CHARS = 200;

/** Controls, marks that change the direction of text, and invisible characters: cells come from hostile files. */
const unseen = /\p{Cc}|\p{Cf}|\p{Co}|\p{Cs}|\p{Cn}|\p{Zl}|\p{Zp}|\p{Variation_Selector}/gu;

/** One line of text in which nothing acts or hides: each such character is shown as `\u{…}`. */
export const plainText = (text: string): string =>
  text.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** Text in which no markup, link or HTML works; marks that can't act where they stand stay as they are. */
export const markdownText = (text: string): string =>
  plainText(text)
    .replace(
      /\\(?=[!-/:-@[-`{-~])|[`[\]~]|<(?=[A-Za-z/!?])|\*(?=\S)|(?<=\S)\*|_(?!\w)|(?<!\w)_|^[#>+-]/g,
      '\\$&',
    )
    .replace(/&(?=#?\w+;)/g, '&amp;');

/** A cell of a Markdown table: no line break and no bar can come out of it either. */
export function markdownCell(value: string | number | null): string {
  if (value === null) return '–';
  if (typeof value === 'number') return String(value);
  const characters = [...value];
  const cut =
    characters.length > MAX_CELL_CHARS ? `${characters.slice(0, MAX_CELL_CHARS).join('')}…` : value;
  return markdownText(cut).replaceAll('|', '\\|');
}

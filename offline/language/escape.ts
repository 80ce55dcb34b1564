/** Longest cell shown in a table, in characters. */
const MAX_CELL_CHARS = 200;

/** Controls, marks that change the direction of text, and invisible characters: cells come from hostile files. */
const unseen = /\p{Cc}|\p{Cf}|\p{Co}|\p{Cs}|\p{Cn}|\p{Zl}|\p{Zp}|\p{Variation_Selector}/gu;

/** One line of text without active or hidden characters: each one is shown as `\u{…}`. */
export const plainText = (text: string): string =>
  text.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** Text without effective markup, links or HTML. Characters without an effect in their position are kept. */
export const markdownText = (text: string): string =>
  plainText(text)
    .replace(
      /\\(?=[!-/:-@[-`{-~])|[`[\]~]|<(?=[A-Za-z/!?])|\*(?=\S)|(?<=\S)\*|_(?!\w)|(?<!\w)_|^[#>+-]/g,
      '\\$&',
    )
    .replace(/&(?=#?\w+;)/g, '&amp;');

/** A cell of a Markdown table, without line breaks and bars. */
export function markdownCell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return String(value);
  const characters = [...(typeof value === 'object' ? JSON.stringify(value) : String(value))];
  const isLong = characters.length > MAX_CELL_CHARS;
  const text = isLong ? `${characters.slice(0, MAX_CELL_CHARS).join('')}…` : characters.join('');
  return markdownText(text).replaceAll('|', '\\|');
}

/** A fence that its content can't close. */
export function fenced(content: string, language = ''): string {
  const runs = [...content.matchAll(/`+/g)].map(([run]) => run.length + 1);
  const ticks = '`'.repeat(Math.max(3, ...runs));
  return `${ticks}${language}\n${content.replace(/\n$/, '')}\n${ticks}`;
}

/** A text for a regular expression that matches it literally. */
export const escaped = (text: string) => text.replace(/\W/g, '\\$&');

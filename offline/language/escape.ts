/** Maximum length of a cell in a table, in characters. */
const MAX_CELL_CHARS = 200;

/**
 * Shows control, bidirectional and invisible characters, including line breaks, as `\u{…}`, because cells come from
 * untrusted files. To compile their classes takes longer than most tables.
 */
export function plainText(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  const unseen = /\p{Cc}|\p{Cf}|\p{Co}|\p{Cs}|\p{Cn}|\p{Zl}|\p{Zp}|\p{Variation_Selector}/gu;
  return text.replace(unseen, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Escapes markup, links and HTML. Characters without an effect in their position stay unescaped. */
export const markdownText = (text: string): string =>
  plainText(text)
    .replace(
      /\\(?=[!-/:-@[-`{-~])|[`[\]~]|<(?=[A-Za-z/!?])|\*(?=\S)|(?<=\S)\*|_(?!\w)|(?<!\w)_|^[#>+-]/g,
      '\\$&',
    )
    .replace(/&(?=#?\w+;)/g, '&amp;');

/** Formats a cell of a Markdown table, with line breaks and bars escaped. */
export function markdownCell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return String(value);
  const characters = [...(typeof value === 'object' ? JSON.stringify(value) : String(value))];
  const isLong = characters.length > MAX_CELL_CHARS;
  const text = isLong ? `${characters.slice(0, MAX_CELL_CHARS).join('')}…` : characters.join('');
  return markdownText(text).replaceAll('|', '\\|');
}

/** Puts content into a fence that it can't close. */
export function fenced(content: string, language = ''): string {
  const runs = [...content.matchAll(/`+/g)].map(([run]) => run.length + 1);
  const ticks = '`'.repeat(Math.max(3, ...runs));
  return `${ticks}${language}\n${content.replace(/\n$/, '')}\n${ticks}`;
}

/** Escapes a text for a regular expression without the `u` flag. */
export const escaped = (text: string) => text.replace(/\W/g, '\\$&');

/** A workflow command of GitHub Actions on one line, cut and escaped: `::error title=Step 2::It failed`. */
export function workflowCommand(name: string, data: string, title?: string): string {
  const value = escapeData(cut(title ?? '', 200))
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
  return `::${name}${value && ` title=${value}`}::${escapeData(cut(data, 4_000))}\n`;
}

const cut = (text: string, maxChars: number): string =>
  text.length > maxChars ? `${text.slice(0, maxChars)}…`.toWellFormed() : text;

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/**
 * A text in which GitHub Actions finds no workflow command: a backslash is put into what would begin one. The runner reads
 * `::name::` at the beginning of a line, after any white space, and `##[name]` anywhere; CR ends a line too.
 */
export const withoutCommands = (text: string): string =>
  text.replace(/(^|[\r\n])([\s\p{Z}\p{C}]*)::/gu, '$1$2\\::').replace(/##(?=\[)/g, '#\\#');

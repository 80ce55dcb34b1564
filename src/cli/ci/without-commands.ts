/**
 * A text in which GitHub Actions finds no workflow command: a backslash is put into what would begin one. The runner reads
 * `::name::` at the beginning of a line, after any white space, and `##[name]` anywhere; CR ends a line too.
 */
export const withoutCommands = (text: string): string =>
  text.replace(/(^|[\r\n])([\s\p{Z}\p{C}]*)::/gu, '$1$2\\::').replace(/##(?=\[)/g, '#\\#');

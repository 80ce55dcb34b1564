import { printable } from '../../contract/text/printable.ts';

/**
 * Words of agents as one line of a Markdown table. They can't become HTML, a link, an image or a mention: what is not plain
 * prose is a code span.
 */
export function markdownText(text: string, maxChars = 300): string {
  const line = printable(text.trim().replace(/\s+/g, ' '), maxChars);
  return isProse(line) ? line : codeSpan(line);
}

/** No character that Markdown or GitHub gives a meaning to, and nothing that GitHub links by itself. */
const isProse = (line: string): boolean =>
  /^[\p{L}\p{N} ,;'"()%$+=?/.…-]*$/u.test(line) && !/www\.|\/\/|GH-\d|\b[0-9a-f]{7,}\b/i.test(line);

function codeSpan(line: string): string {
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${line.replaceAll('|', '\\|')} ${fence}`;
}

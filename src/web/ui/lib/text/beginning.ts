/** A longer text is folded, in rows of the conversation. */
const MAX_ROWS = 60;
/** Rows that a folded text shows. */
const SHOWN_ROWS = 40;
/** Characters of a row of the conversation, about. */
const ROW_CHARS = 60;

const rowsOf = (line: string): number => Math.max(1, Math.ceil(line.length / ROW_CHARS));

/** The beginning of a text that needs more than about 60 rows. A shorter text is returned as it is. */
export function beginningOf(text: string): string {
  const lines = text.split('\n');
  if (lines.reduce((sum, line) => sum + rowsOf(line), 0) <= MAX_ROWS) return text;
  const shown: string[] = [];
  let left = SHOWN_ROWS;
  for (const line of lines) {
    if (rowsOf(line) > SHOWN_ROWS) shown.push(cut(line, left * ROW_CHARS));
    left -= rowsOf(line);
    if (left < 0) break;
    shown.push(line);
  }
  return `${shown.join('\n')}\n\n…`;
}

/** A long line up to the last space. */
const cut = (line: string, length: number): string => line.slice(0, length).replace(/\s\S*$/, '');

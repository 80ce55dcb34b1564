const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** A line of a file, with its numbers before and after the change. */
export interface ChangeLine {
  readonly sign: ' ' | '+' | '-';
  readonly before?: number;
  readonly after?: number;
  readonly text: string;
}

/** A line of a unified diff; `gap` separates hunks, `other` is a line that no file has. */
export type DiffLine =
  | ChangeLine
  | { readonly sign: 'other'; readonly text: string }
  | { readonly sign: 'gap'; readonly text: '' };

/** The next line of the old and the new file, and the number of lines that their hunk still has. */
interface Cursor {
  readonly before: number;
  readonly after: number;
  readonly oldLeft: number;
  readonly newLeft: number;
}

/** Reads a unified diff. A hunk has as many lines as its header states, so its content can't begin another hunk. */
export function unifiedDiff(diff: string): readonly DiffLine[] {
  const read: DiffLine[] = [];
  const lines = diff.replace(/\n$/, '').split('\n');
  const isOneFile = lines.filter((line) => line.startsWith('+++ ')).length < 2;
  let cursor: Cursor | undefined;
  for (const line of lines) {
    if (cursor && cursor.oldLeft + cursor.newLeft > 0) {
      const change = changeOf(line, cursor);
      read.push(change);
      cursor = advance(cursor, change.sign);
      continue;
    }
    const hunk = HUNK.exec(line);
    if (hunk) {
      if (cursor) read.push({ sign: 'gap', text: '' });
      cursor = cursorOf(hunk);
    } else if (!isNoise(line, isOneFile)) read.push({ sign: 'other', text: line });
  }
  return read;
}

const cursorOf = ([, old, oldLines, fresh, freshLines]: RegExpExecArray): Cursor => ({
  before: Number(old),
  after: Number(fresh),
  oldLeft: Number(oldLines ?? 1),
  newLeft: Number(freshLines ?? 1),
});

function changeOf(line: string, { before, after }: Cursor): DiffLine {
  if (/^[^-+ ]/.test(line)) return { sign: 'other', text: line };
  const text = line.slice(1);
  if (line.startsWith('-')) return { sign: '-', before, text };
  return line.startsWith('+') ? { sign: '+', after, text } : { sign: ' ', before, after, text };
}

function advance(cursor: Cursor, sign: DiffLine['sign']): Cursor {
  if (sign === 'other') return cursor;
  const { before, after, oldLeft, newLeft } = cursor;
  const old = { before: before + 1, oldLeft: Math.max(0, oldLeft - 1) };
  const fresh = { after: after + 1, newLeft: Math.max(0, newLeft - 1) };
  return { ...cursor, ...(sign !== '+' && old), ...(sign !== '-' && fresh) };
}

/** The header lines before the hunks. The name of a single file is shown elsewhere. */
const isNoise = (line: string, isOneFile: boolean): boolean =>
  /^(?:Index: |={60,}$|--- )/.test(line) || (isOneFile && line.startsWith('+++ ')) || line === '';

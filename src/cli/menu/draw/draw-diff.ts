import { escapeText } from '../../../contract/text/escape-text.ts';
import type { Frame } from '../frame.ts';

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** One line of a unified diff. */
type DiffLine =
  | { readonly kind: 'other'; readonly text: string }
  | { readonly kind: 'gap' }
  | { readonly kind: ' ' | '-' | '+'; readonly number: number; readonly text: string };

/**
 * Draws a unified diff as lines: `  13 -     return …`, with the line numbers of the file, in red and green. Each of
 * several files is named. No line is cut.
 */
export function drawDiff(diff: string, { style }: Pick<Frame, 'style'>): string[] {
  const lines = readDiff(diff.split('\n'));
  const digits = Math.max(
    2,
    ...lines.map((line) => ('number' in line ? String(line.number).length : 0)),
  );
  return lines.map((line) => {
    if (line.kind === 'gap') return '';
    if (line.kind === 'other') return line.text === '' ? '' : `  ${shown(line.text)}`;
    const drawn =
      `  ${String(line.number).padStart(digits)} ${line.kind} ${shown(line.text)}`.trimEnd();
    if (line.kind === ' ') return drawn;
    return line.kind === '-' ? style.red(drawn) : style.green(drawn);
  });
}

const shown = (text: string): string => escapeText(text.replaceAll('\t', '    '));

/** A hunk has as many lines as its header states, so its content can't begin another hunk. */
function readDiff(lines: readonly string[]): readonly DiffLine[] {
  const read: DiffLine[] = [];
  const isOneFile = lines.filter((line) => line.startsWith('+++ ')).length < 2;
  /** The next line number of each side, and how many lines of it are left in the hunk. */
  let [oldNumber, oldLeft, newNumber, newLeft] = [0, 0, 0, 0];
  let hasHunk = false;
  for (const line of lines) {
    const [hunk, ...header] = HUNK.exec(line) ?? [];
    if (oldLeft + newLeft > 0) {
      const kind = line.startsWith('-') ? '-' : line.startsWith('+') ? '+' : ' ';
      if (line.startsWith('\\')) read.push({ kind: 'other', text: line });
      else {
        read.push({ kind, number: kind === '-' ? oldNumber : newNumber, text: line.slice(1) });
        if (kind !== '+') [oldNumber, oldLeft] = [oldNumber + 1, Math.max(0, oldLeft - 1)];
        if (kind !== '-') [newNumber, newLeft] = [newNumber + 1, Math.max(0, newLeft - 1)];
      }
    } else if (hunk !== undefined) {
      if (hasHunk) read.push({ kind: 'gap' });
      hasHunk = true;
      [oldNumber = 0, oldLeft = 0, newNumber = 0, newLeft = 0] = header.map((one = '1') =>
        Number(one),
      );
    } else if (!isNoise(line, isOneFile)) read.push({ kind: 'other', text: line });
  }
  return read;
}

/** The header lines before the hunks of a unified diff. The name of a single file is shown elsewhere. */
const isNoise = (line: string, isOneFile: boolean): boolean =>
  /^(?:Index: |={60,}$|--- )/.test(line) || (isOneFile && line.startsWith('+++ ')) || line === '';

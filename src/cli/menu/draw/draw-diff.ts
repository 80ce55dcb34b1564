import { escapeText } from '../../../contract/text/escape-text.ts';
import type { Frame } from '../frame.ts';

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** One line of a text with differences. */
type DiffLine =
  | { readonly kind: 'other'; readonly text: string }
  | { readonly kind: 'gap' }
  | { readonly kind: ' ' | '-' | '+'; readonly number: number; readonly text: string };

/**
 * Unified differences as lines: `  13 -     return …`, with the number of each line in its file, red and green. Of several
 * files each is named. Nothing of a file is cut.
 */
export function drawDiff(diff: string, { style }: Pick<Frame, 'style'>): string[] {
  const lines = readDiff(diff.split('\n'));
  const digits = Math.max(2, ...lines.map((line) => ('number' in line ? String(line.number).length : 0)));
  return lines.map((line) => {
    if (line.kind === 'gap') return '';
    if (line.kind === 'other') return line.text === '' ? '' : `  ${shown(line.text)}`;
    const drawn = `  ${String(line.number).padStart(digits)} ${line.kind} ${shown(line.text)}`.trimEnd();
    if (line.kind === ' ') return drawn;
    return line.kind === '-' ? style.red(drawn) : style.green(drawn);
  });
}

const shown = (text: string): string => escapeText(text.replaceAll('\t', '    '));

/** A hunk has as many lines as its header says: what stands in them can't begin another. */
function readDiff(lines: readonly string[]): readonly DiffLine[] {
  const read: DiffLine[] = [];
  const isOneFile = lines.filter((line) => line.startsWith('+++ ')).length < 2;
  let old = { next: 0, left: 0 };
  let fresh = { next: 0, left: 0 };
  for (const line of lines) {
    const sign = line[0] ?? ' ';
    if (old.left + fresh.left === 0) {
      const hunk = HUNK.exec(line);
      if (!hunk) {
        if (!isNoise(line, isOneFile)) read.push({ kind: 'other', text: line });
        continue;
      }
      old = { next: Number(hunk[1]), left: Number(hunk[2] ?? 1) };
      fresh = { next: Number(hunk[3]), left: Number(hunk[4] ?? 1) };
      if (read.some(({ kind }) => kind !== 'other')) read.push({ kind: 'gap' });
    } else if (sign === '-') {
      read.push({ kind: '-', number: old.next, text: line.slice(1) });
      old = { next: old.next + 1, left: Math.max(0, old.left - 1) };
    } else if (sign === '\\') {
      read.push({ kind: 'other', text: line });
    } else {
      read.push({ kind: sign === '+' ? '+' : ' ', number: fresh.next, text: line.slice(1) });
      fresh = { next: fresh.next + 1, left: Math.max(0, fresh.left - 1) };
      if (sign !== '+') old = { next: old.next + 1, left: Math.max(0, old.left - 1) };
    }
  }
  return read;
}

/** What a unified difference has before its hunks. The name of a single file stands elsewhere. */
const isNoise = (line: string, isOneFile: boolean): boolean =>
  /^(?:Index: |={60,}$|--- )/.test(line) || (isOneFile && line.startsWith('+++ ')) || line === '';

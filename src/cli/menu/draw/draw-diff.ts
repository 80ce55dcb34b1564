import { escapeText } from '../../../contract/text/escape-text.ts';
import { withoutReturns } from '../../text/change-text.ts';
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
  const lines = readDiff(withoutReturns(diff).split('\n'));
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

/** The remaining lines of a hunk, in the old and in the new file. */
interface Cursor {
  readonly old: Side;
  readonly fresh: Side;
}

interface Side {
  readonly next: number;
  readonly left: number;
}

/** A hunk has as many lines as its header states, so its content can't begin another hunk. */
function readDiff(lines: readonly string[]): readonly DiffLine[] {
  const read: DiffLine[] = [];
  const isOneFile = lines.filter((line) => line.startsWith('+++ ')).length < 2;
  let cursor: Cursor | undefined;
  for (const line of lines) {
    if (cursor && isOpen(cursor)) {
      read.push(changeOf(line, cursor));
      cursor = advance(cursor, line[0]);
      continue;
    }
    const hunk = HUNK.exec(line);
    if (hunk) {
      if (cursor) read.push({ kind: 'gap' });
      cursor = cursorOf(hunk);
    } else if (!isNoise(line, isOneFile)) read.push({ kind: 'other', text: line });
  }
  return read;
}

const isOpen = ({ old, fresh }: Cursor): boolean => old.left + fresh.left > 0;

const cursorOf = ([, old, oldLines, fresh, freshLines]: RegExpExecArray): Cursor => ({
  old: { next: Number(old), left: Number(oldLines ?? 1) },
  fresh: { next: Number(fresh), left: Number(freshLines ?? 1) },
});

function changeOf(line: string, { old, fresh }: Cursor): DiffLine {
  if (line.startsWith('\\')) return { kind: 'other', text: line };
  if (line.startsWith('-')) return { kind: '-', number: old.next, text: line.slice(1) };
  return { kind: line.startsWith('+') ? '+' : ' ', number: fresh.next, text: line.slice(1) };
}

function advance({ old, fresh }: Cursor, sign: string | undefined): Cursor {
  if (sign === '\\') return { old, fresh };
  return { old: sign === '+' ? old : after(old), fresh: sign === '-' ? fresh : after(fresh) };
}

const after = ({ next, left }: Side): Side => ({ next: next + 1, left: Math.max(0, left - 1) });

/** The header lines before the hunks of a unified diff. The name of a single file is shown elsewhere. */
const isNoise = (line: string, isOneFile: boolean): boolean =>
  /^(?:Index: |={60,}$|--- )/.test(line) || (isOneFile && line.startsWith('+++ ')) || line === '';

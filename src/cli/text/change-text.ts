import type { RunDiff } from '../../app/runs/changes/diff-run.ts';
import { printable } from '../../contract/text/printable.ts';
import type { Style } from './style.ts';

const gapReasons: Readonly<Record<RunDiff['gaps'][number]['reason'], string>> = {
  interrupted: 'a command was interrupted',
  too_many_files: 'the workspace has too many files',
  too_many_changes: 'a command changed too many files',
  ignored_files: 'a command named ignored files',
  pattern_limit: 'a command named too many or too long patterns',
  name_not_utf8: 'a command changed a file whose name is not UTF-8',
};

/** Says why files may be missing from a list of changes; empty if none is. */
export function gapText(gaps: RunDiff['gaps']): string {
  if (gaps.length === 0) return '';
  const why = [...new Set(gaps.map(({ reason }) => gapReasons[reason]))].join(', ');
  return `\nNot all files were compared (${why}): programs may have changed others.\n`;
}

/** What a list of changes says in place of files; `whose` is ` by run 3f9c0a12` or empty. */
export const noFileText = (gaps: RunDiff['gaps'], whose = ''): string =>
  gaps.length > 0 ? `No change of a file${whose} is known.` : `No file was changed${whose}.`;

/** `+3 -1`: the lines that a unified diff adds and removes. */
export function lineCounts(diff: string): string {
  const lines = diff.split('\n').filter(isContent);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return `+${count('+')} -${count('-')}`;
}

/** Whether a line of a unified diff is not part of its header. */
export const isContent = (line: string, index: number): boolean =>
  index > 3 || !/^(Index: |=====|--- |\+\+\+ )/.test(line);

/** A unified diff without the carriage returns that all its lines end with. */
export function withoutReturns(diff: string): string {
  const lines = diff.split('\n').filter((line, at) => isContent(line, at) && /^[-+ ]/.test(line));
  return lines.every((line) => line.endsWith('\r')) ? diff.replaceAll('\r\n', '\n') : diff;
}

/** One line of a unified diff in its colour, escaped. */
export function paintDiff(line: string, style: Style): string {
  const shown = printable(line.replaceAll('\t', '    '), Number.POSITIVE_INFINITY);
  if (line.startsWith('+')) return style.green(shown);
  if (line.startsWith('-')) return style.red(shown);
  return line.startsWith('@@') ? style.cyan(shown) : shown;
}

import { diffArrays } from 'diff';
import { type ChangeLine, unifiedDiff } from '../../../../contract/text/unified-diff.ts';

/** One line of a diff. */
export interface Line extends ChangeLine {
  /** The corresponding line on the other side, to mark the changed words. */
  readonly counterpart?: string;
}

/** Number of unchanged lines shown around a change. */
const CONTEXT = 3;

/** Compares two texts line by line. Lines are numbered on both sides. */
export function linesOf(before: string, after: string): Line[] {
  let [oldNumber, newNumber] = [0, 0];
  const parts = diffArrays(split(before), split(after));
  return parts.flatMap(({ value, added, removed }, index) => {
    const other = parts[index + (removed ? 1 : -1)];
    const pair = (removed && other?.added) || (added && other?.removed) ? other?.value : undefined;
    return value.map((text, at): Line => {
      const match = pair?.length === value.length ? pair[at] : undefined;
      const counterpart = match === undefined ? {} : { counterpart: match };
      if (added) return { sign: '+', after: ++newNumber, text, ...counterpart };
      if (removed) return { sign: '-', before: ++oldNumber, text, ...counterpart };
      return { sign: ' ', before: ++oldNumber, after: ++newNumber, text };
    });
  });
}

const split = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** Keeps the lines near a change. `undefined` marks omitted lines. */
export function nearChanges(lines: readonly Line[]): (Line | undefined)[] {
  const isNear = new Array<boolean>(lines.length).fill(false);
  lines.forEach(({ sign }, index) => {
    if (sign !== ' ') isNear.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  });
  return lines.flatMap((line, index) => {
    if (isNear[index]) return [line];
    return isNear[index - 1] ? [undefined] : [];
  });
}

/** The lines of the files in a unified diff. `undefined` separates hunks. */
export const unifiedLines = (diff: string): (Line | undefined)[] =>
  unifiedDiff(diff).flatMap((line) => {
    if (line.sign === 'gap') return [undefined];
    return line.sign === 'other' ? [] : [line];
  });

/** Splits a text into unified diffs, which begin with `@@ `, and what is between them. */
export const withDiffsApart = (text: string): string[] =>
  text
    .split(/^(@@ .*\n(?:[ +@\\-].*\n)*)/m)
    .map((part) => part.replace(/^\n+|\n+$/g, ''))
    .filter((part) => part !== '');

/** Counts the added and removed lines of a unified diff. */
export function countsOf(diff: string): { readonly added: number; readonly removed: number } {
  const signs = unifiedLines(diff).map((line) => line?.sign);
  const count = (wanted: string) => signs.filter((sign) => sign === wanted).length;
  return { added: count('+'), removed: count('-') };
}

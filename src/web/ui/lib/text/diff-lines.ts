import { diffArrays } from 'diff';

/** One line of a diff. */
export interface Line {
  readonly sign: ' ' | '+' | '-';
  readonly before?: number;
  readonly after?: number;
  readonly text: string;
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

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Parses the lines of a unified diff. `undefined` separates hunks. */
export function unifiedLines(diff: string): (Line | undefined)[] {
  const hunks = diff.replace(/\n$/, '').split(/^(?=@@ )/m);
  return hunks.flatMap((hunk, index) => {
    const head = hunkHead.exec(hunk);
    if (!head) return [];
    const lines = hunkLines(hunk.split('\n').slice(1), Number(head[1]), Number(head[2]));
    return hunkHead.test(hunks[index - 1] ?? '') ? [undefined, ...lines] : lines;
  });
}

function hunkLines(texts: readonly string[], before: number, after: number): Line[] {
  let [oldNumber, newNumber] = [before, after];
  return texts.flatMap((text) => {
    const line = lineOf(text, oldNumber, newNumber);
    if (!line) return [];
    if (line.sign !== '+') oldNumber += 1;
    if (line.sign !== '-') newNumber += 1;
    return [line];
  });
}

function lineOf(text: string, before: number, after: number): Line | undefined {
  const rest = text.slice(1);
  if (text.startsWith('+')) return { sign: '+', after, text: rest };
  if (text.startsWith('-')) return { sign: '-', before, text: rest };
  return text.startsWith(' ') ? { sign: ' ', before, after, text: rest } : undefined;
}

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

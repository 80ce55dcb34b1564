/** `+3 -1`: the lines that a unified diff adds and removes. */
export function lineCounts(diff: string): string {
  const lines = diff.split('\n').filter(isContent);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return `+${count('+')} -${count('-')}`;
}

/** Whether a line of a unified diff is not part of its header. */
export const isContent = (line: string, index: number): boolean =>
  index > 3 || !/^(Index: |=====|--- |\+\+\+ )/.test(line);

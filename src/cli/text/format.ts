/** `850 ms`, `2.4 s`, `3 min 05 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** `0.6 s`, `4.1 s`, `29 s`, `3 min 05 s`: how long a step or a run took. */
export function formatSeconds(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 59_500 ? `${Math.round(ms / 1_000)} s` : formatDuration(Math.max(ms, 60_000));
}

/** `$0.00`, `$0.0042`, `$1.20`. */
export function formatCost(usd: number): string {
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

/** `850 tok`, `41k tok`. */
export const formatTokens = (tokens: number): string =>
  tokens < 1_000 ? `${tokens} tok` : `${Math.round(tokens / 1_000)}k tok`;

/** `812 bytes`, `3.1 KB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, 'byte');
  const [value, unit] =
    bytes < 1e6 ? [bytes / 1e3, 'KB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** `1 file`, `3 files`. */
export const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;

/** Formats rows of cells as columns, two spaces apart. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, column) => Math.max(known[column] ?? 0, cell.length)),
    [],
  );
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return `${cells.join('  ').trimEnd()}\n`;
  });
  return lines.join('');
}

/** The same with a line of headings above the rows; `none` without rows. */
export const headedTable = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): string => (rows.length === 0 ? none : formatTable([head, ...rows]));

/** A part of a text under its title, after an empty line; empty without content. */
export const titled = (title: string, content: string): string =>
  content === '' ? '' : `\n${title}\n${content}`;

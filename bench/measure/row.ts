/** One measured promise of the product. */
export interface Row {
  readonly what: string;
  /** The target. */
  readonly goal: number;
  /** The limit; undefined: the row is only shown. */
  readonly gate?: number;
  readonly value: number;
  readonly unit: '×' | 'MB' | 'ms' | '%';
  /** Absolute figures behind the value: they move with the machine. */
  readonly detail: string;
}

export interface BenchOptions {
  /** Few repetitions: shows that nothing is broken, but measures little. */
  readonly smoke: boolean;
}

/** What tells a program of `bench/` that it measures with few repetitions. */
export const smokeFlag = ({ smoke }: BenchOptions): readonly string[] => (smoke ? ['--smoke'] : []);

/** How often a program of `bench/` repeats its measurement: fewer times with the flag. */
export const repetitions = (full: number, smoke: number): number =>
  process.argv.includes('--smoke') ? smoke : full;

/** What a gate is multiplied by for few repetitions on a busy machine: a time also waits for its slow disk. */
const smokeTolerance = ({ unit }: Row): number => (unit === 'ms' ? 30 : 5);

export const isPastGate = (row: Row, { smoke }: BenchOptions): boolean =>
  row.gate !== undefined && !(row.value <= row.gate * (smoke ? smokeTolerance(row) : 1));

const shown = (value: number, unit: Row['unit']) =>
  `${value.toFixed(unit === '×' || unit === '%' ? 2 : 1)} ${unit}`;

const cells = (row: Row): string[] => [
  row.what,
  shown(row.value, row.unit),
  `${row.goal} ${row.unit}`,
  row.gate === undefined ? '–' : `${row.gate} ${row.unit}`,
  row.detail,
];

/** All rows as a Markdown table that also reads well in a terminal. */
export function toTable(rows: readonly Row[]): string {
  const lines = [['what', 'measured', 'goal', 'gate', 'behind it'], ...rows.map(cells)];
  const widths = [0, 1, 2, 3, 4].map((at) =>
    Math.max(...lines.map((line) => (line[at] ?? '').length)),
  );
  const draw = (line: readonly string[]) =>
    `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const [head = [], ...body] = lines;
  return [draw(head), rule, ...body.map(draw)].join('\n');
}

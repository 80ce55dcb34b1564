import { lean } from '../../scripts/build.ts';
import { runPinned } from '../measure/pinned-program.ts';
import type { BenchOptions, Row } from '../measure/row.ts';

interface Costs {
  readonly loadMs: number;
  readonly embedMs: number;
  readonly searchMs: number;
  readonly syncMs: number;
}

/** The cost of finding a capsule: loading the table (each time in a new process), one text, one search. */
export async function measureEmbedding({ smoke }: BenchOptions): Promise<Row[]> {
  const runs: Costs[] = [];
  for (let i = 0; i < (smoke ? 1 : 7); i++) {
    runs.push(JSON.parse(await runPinned('routing/embedding-program.ts', lean)));
  }
  const median = (name: keyof Costs) =>
    runs.map((run) => run[name]).sort((a, b) => a - b)[runs.length >> 1] ?? NaN;
  const detail = `median of ${runs.length} processes`;
  return [
    {
      what: 'loading `static-en-256`, first text included',
      goal: 40,
      value: median('loadMs'),
      unit: 'ms',
      detail: `${detail}; then ${(median('embedMs') * 1_000).toFixed(0)} µs a text of 12 words`,
    },
    {
      what: 'finding the capsule among 10 of 20 parts each',
      goal: 1,
      value: median('searchMs'),
      unit: 'ms',
      detail: `${detail}; opening an unchanged index: ${median('syncMs').toFixed(2)} ms`,
    },
  ];
}

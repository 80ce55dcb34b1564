import { lean } from '../../scripts/build.ts';
import { runPinned } from '../measure/pinned-program.ts';
import { type BenchOptions, type Row, smokeFlag } from '../measure/row.ts';
import type { RoutingCosts } from './routing-speed-program.ts';

/** The cost of routing: a decision, and the index. */
export async function measureRoutingSpeed(options: BenchOptions): Promise<Row[]> {
  const runs: RoutingCosts[] = [];
  for (let i = 0; i < (options.smoke ? 1 : 5); i++) {
    runs.push(
      JSON.parse(await runPinned('routing/routing-speed-program.ts', lean, smokeFlag(options))),
    );
  }
  const median = (name: keyof RoutingCosts) =>
    runs.map((run) => run[name]).sort((a, b) => a - b)[runs.length >> 1] ?? Number.NaN;
  return [
    {
      what: 'routing decision among 1,000 capsules of five parts, embedding included, p50',
      goal: 40,
      gate: 80,
      value: median('decisionMs'),
      unit: 'ms',
      detail: `each of ${runs[0]?.vectors} vectors is compared; the first one of a process: ${median('firstMs').toFixed(0)} ms`,
    },
    {
      what: 'indexing 1,000 capsules of five parts',
      goal: 1_500,
      gate: 3_000,
      value: median('indexMs'),
      unit: 'ms',
      detail: 'embedding, full text, vectors; every step on the disk',
    },
  ];
}

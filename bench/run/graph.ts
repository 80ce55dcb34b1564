import { lean } from '../../scripts/build.ts';
import { runPinned } from '../measure/pinned-program.ts';
import { type BenchOptions, type Row, smokeFlag } from '../measure/row.ts';

/** What storing the graph's state adds to a step. */
export async function measureGraph(options: BenchOptions): Promise<Row[]> {
  const { bare, durable } = JSON.parse(
    await runPinned('run/graph-program.ts', lean, smokeFlag(options)),
  ) as Record<'bare' | 'durable', number>;
  return [
    {
      what: 'durable graph step (× the same without a checkpointer)',
      goal: 1.2,
      gate: 1.4,
      value: durable / bare,
      unit: '×',
      detail: `${durable.toFixed(2)} ms; bare: ${bare.toFixed(2)} ms`,
    },
  ];
}

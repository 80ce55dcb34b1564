import { lean } from '../../scripts/build.ts';
import { runPinned } from '../measure/pinned-program.ts';
import { type BenchOptions, type Row, smokeFlag } from '../measure/row.ts';

/** What planning, journal, graph and checks add to bare calls of a model. */
export async function measureWarmRun(options: BenchOptions): Promise<Row[]> {
  const { loopMs, oursMs } = JSON.parse(
    await runPinned('run/warm-run-program.ts', lean, smokeFlag(options)),
  );
  return [
    {
      what: 'warm run, two model calls and one tool call (× a plain `node:http` loop, pinned)',
      goal: 9,
      gate: 11,
      value: oursMs / loopMs,
      unit: '×',
      detail: `${oursMs.toFixed(2)} ms; loop: ${loopMs.toFixed(2)} ms`,
    },
  ];
}

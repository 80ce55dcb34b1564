import { runPinned } from '../measure/pinned-program.ts';
import { type BenchOptions, type Row, smokeFlag } from '../measure/row.ts';

/** What the runner, its checks and the protocol add to bare lines of JSON. */
export async function measureRoundTrips(options: BenchOptions): Promise<Row[]> {
  const build = { platform: 'node', format: 'esm', packages: 'external' } as const;
  const quiet = { ...build, logLevel: 'warning' } as const;
  const text = await runPinned('pipe/round-trip-program.ts', quiet, smokeFlag(options));
  const [raw = NaN, ours = NaN] = [...text.matchAll(/([\d.]+) µs/g)].map(([, us]) => Number(us));
  return [
    {
      what: 'round trip through runner and protocol (× raw newline JSON, pinned)',
      goal: 1.35,
      gate: 1.5,
      value: ours / raw,
      unit: '×',
      detail: `${ours.toFixed(0)} µs; raw: ${raw.toFixed(0)} µs`,
    },
  ];
}

import { lean } from '../../scripts/build.ts';
import { runPinned } from '../measure/pinned-program.ts';
import { type BenchOptions, type Row, smokeFlag } from '../measure/row.ts';

/** What decisions, journal and audit add to a bare loop, and to the necessary commits of an effect. */
export async function measureBrokered(options: BenchOptions): Promise<Row[]> {
  const { raw, brokered, rows, small, bare, effect } = JSON.parse(
    await runPinned('pipe/brokered-program.ts', lean, smokeFlag(options)),
  ) as Record<'raw' | 'brokered' | 'rows' | 'small' | 'bare' | 'effect', number>;
  return [
    {
      what: 'brokered no-op of tier 0: policy, journal, audit (× raw newline JSON, pinned)',
      goal: 2.2,
      gate: 2.6,
      value: brokered / raw,
      unit: '×',
      detail: `${brokered.toFixed(0)} µs; raw: ${raw.toFixed(0)} µs; its rows alone: ${rows.toFixed(0)} µs`,
    },
    {
      what: 'intent with an effect (× two bare synced commits of its rows, p50)',
      goal: 1.5,
      gate: 1.7,
      value: effect / bare,
      unit: '×',
      detail: `${effect.toFixed(2)} ms; bare: ${bare.toFixed(2)} ms; of one small row each: ${small.toFixed(2)} ms`,
    },
  ];
}

import { lean } from '../scripts/build.ts';
import { runPinned } from './pinned-program.ts';
import type { RoutingCosts } from './routing-speed-program.ts';
import type { BenchOptions, Row } from './row.ts';

/** Six vectors a capsule: 100,000 rows. */
const MANY_CAPSULES = 16_667;

/** What routing costs: a decision, the search in it beside sqlite-vec's own query, and the index. */
export async function measureRoutingSpeed({ smoke }: BenchOptions): Promise<Row[]> {
  const costsOf = async (capsules: number): Promise<RoutingCosts> =>
    JSON.parse(await runPinned('routing-speed-program.ts', lean, [String(capsules)]));
  const runs: RoutingCosts[] = [];
  for (let i = 0; i < (smoke ? 1 : 5); i++) runs.push(await costsOf(1_000));
  const median = (value: (costs: RoutingCosts) => number) =>
    runs.map(value).sort((a, b) => a - b)[runs.length >> 1] ?? Number.NaN;
  const rows: Row[] = [
    {
      what: 'routing decision among 1,000 capsules of five parts, embedding included, p50',
      goal: 4,
      gate: 6,
      value: median(({ decisionMs }) => decisionMs),
      unit: 'ms',
      detail: `the first one of a process, which reads ${runs[0]?.rows} vectors into memory: ${median(({ holdMs }) => holdMs).toFixed(0)} ms`,
    },
    besideVectorQuery('1,000 capsules', {
      ratio: median(({ searchMs, vectorQueryMs }) => searchMs / vectorQueryMs),
      costs: runs[0],
    }),
    {
      what: 'five nearest vectors among 1,000 capsules that the search does not find (recall@5 1.0: none)',
      goal: 0,
      gate: 0,
      value: Math.max(...runs.map(({ recallAt5 }) => (1 - recallAt5) * 100)),
      unit: '%',
      detail: 'of the worst process',
    },
    {
      what: 'indexing 1,000 capsules of five parts',
      goal: 1_500,
      gate: 3_000,
      value: median(({ indexMs }) => indexMs),
      unit: 'ms',
      detail: 'embedding, full text, vectors; every step on the disk',
    },
  ];
  if (smoke) return rows;
  const many = await costsOf(MANY_CAPSULES);
  const ratio = many.searchMs / many.vectorQueryMs;
  return [...rows, besideVectorQuery('16,667 capsules', { ratio, costs: many })];
}

function besideVectorQuery(
  what: string,
  { ratio, costs }: { readonly ratio: number; readonly costs: RoutingCosts | undefined },
): Row {
  const { searchMs = 0, vectorQueryMs = 0, recallAt5 = 0, rows = 0 } = costs ?? {};
  const times = `${searchMs.toFixed(2)} ms : ${vectorQueryMs.toFixed(2)} ms over ${rows} vectors`;
  return {
    what: `whole search among ${what} : sqlite-vec's five nearest`,
    goal: 0.35,
    gate: 1,
    value: ratio,
    unit: '×',
    detail: `${times}; recall@5 of the vectors ${recallAt5.toFixed(3)}`,
  };
}

import { useLocation, useSearch } from 'wouter';
import type { CostLine, Costs } from '../../../contract/documents/state-documents.ts';
import { download } from '../lib/server/download.ts';
import { useDocument } from '../lib/server/use-document.ts';
import { count, modelName, money, query, spent } from '../lib/text/format.ts';
import { Bar } from '../parts/figures/bar.tsx';
import { type Column, Table } from '../parts/figures/table.tsx';
import { Button } from '../parts/input/button.tsx';
import { Choice } from '../parts/input/choice.tsx';
import { Seg } from '../parts/input/seg.tsx';
import { EmptyList, Pending } from '../parts/states.tsx';
import { Top } from '../parts/top.tsx';
import { showFailure } from '../shell/toast.tsx';

const groups = [
  ['day', 'Day'],
  ['model', 'Model'],
  ['capsule', 'Capsule'],
  ['run', 'Run'],
  ['tool', 'Tool'],
] as const;

const nameOf = ({ about, name }: CostLine) => (
  <span title={about ?? undefined}>{about ?? modelName(name)}</span>
);

/** The columns after the name of a group. @param top The highest cost of a row. */
const columnsFor = (top: number): readonly Column<CostLine>[] => [
  ['Share', (row) => <Bar share={row.cost_usd / top} />, 'c-tok'],
  ['Model calls', (row) => row.model_calls, 'num end c-tok'],
  ['Tool calls', (row) => row.tool_calls, 'num end c-tok'],
  ['Tokens in', (row) => count(row.input_tokens), 'num end'],
  ['Tokens out', (row) => count(row.output_tokens), 'num end'],
  ['Cost', (row) => spent(row), 'num end'],
];

/** Spending by day, model, capsule, run or tool. */
export default function Cost() {
  const values = new URLSearchParams(useSearch());
  const [, go] = useLocation();
  const [by, since] = [values.get('by') ?? 'day', values.get('since') ?? '30d'];
  const asked = query({ by, since });
  const costs = useDocument<Costs>(['costs', by, since], `/costs${asked}`);
  const set = (change: object) =>
    go(`/cost${query({ by, since, ...change } as Record<string, string>)}`, { replace: true });
  const { data } = costs;
  const rows = data?.rows ?? [];
  const top = Math.max(1e-9, ...rows.map(({ cost_usd: usd }) => usd));
  const save = () => download(`/costs.csv${asked}`, `costs-by-${by}.csv`).catch(showFailure);
  const total = data ? spent(data.total, `${money(data.total.cost_usd)} in total`) : '';
  return (
    <>
      <Top title="Cost" meta={<span className="num">{total}</span>}>
        <Button word="CSV" onClick={save} />
      </Top>
      <div className="filters">
        <Seg label="Grouped by" value={by} set={(value) => set({ by: value })} choices={groups} />
        <Choice name="Since" value={since} set={(value) => set({ since: value })}>
          <option value="1d">Last day</option>
          <option value="7d">Last 7 days</option>
          <option value="30d">Last 30 days</option>
          <option value="365d">Last year</option>
        </Choice>
      </div>
      <Pending of={costs} rows={6} />
      {data && rows.length === 0 && (
        <section className="card">
          <EmptyList title="Nothing was spent in this period." />
        </section>
      )}
      {rows.length > 0 && (
        <section className="card scroll" tabIndex={0} aria-label="Spending">
          <Table
            className="cost-table"
            columns={[
              [by.replace(/^./, (one) => one.toUpperCase()), nameOf, 'cut'],
              ...columnsFor(top),
            ]}
            rows={rows}
          />
        </section>
      )}
    </>
  );
}

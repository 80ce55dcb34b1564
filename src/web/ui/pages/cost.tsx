import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearch } from 'wouter';
import { get } from '../lib/api.ts';
import type { CostLine, Costs } from '../lib/api-documents.ts';
import { download } from '../lib/download.ts';
import { count, money } from '../lib/format.ts';
import { modelName } from '../lib/names.ts';
import { query } from '../lib/query.ts';
import { Bar } from '../parts/bar.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { showFailure } from '../shell/toast.tsx';

const groups = [
  ['day', 'Day'],
  ['model', 'Model'],
  ['capsule', 'Capsule'],
  ['run', 'Run'],
  ['tool', 'Tool'],
] as const;

/** Spending by day, model, capsule, run or tool. */
export default function Cost() {
  const values = new URLSearchParams(useSearch());
  const [, go] = useLocation();
  const [by, since] = [values.get('by') ?? 'day', values.get('since') ?? '30d'];
  const path = `/costs${query({ by, since })}`;
  const { data, error, refetch } = useQuery({
    queryKey: ['costs', by, since],
    queryFn: () => get<Costs>(path),
  });
  const set = (change: object) =>
    go(`/cost${query({ by, since, ...change } as Record<string, string>)}`, { replace: true });
  const rows = data?.rows ?? [];
  const top = Math.max(1e-9, ...rows.map(({ cost_usd: usd }) => usd));
  return (
    <>
      <div className="top">
        <div>
          <h1>Cost</h1>
          <div className="meta num">{data && `${money(data.total.cost_usd)} in total`}</div>
        </div>
        <div className="actions">
          <button
            type="button"
            className="btn"
            onClick={() =>
              download(`/costs.csv${query({ by, since })}`, `costs-by-${by}.csv`).catch(showFailure)
            }
          >
            CSV
          </button>
        </div>
      </div>
      <div className="filters">
        {/* biome-ignore lint/a11y/useSemanticElements: buttons, not fields */}
        <div className="seg" role="group" aria-label="Grouped by">
          {groups.map(([value, word]) => (
            <button
              key={value}
              type="button"
              aria-pressed={by === value}
              onClick={() => set({ by: value })}
            >
              {word}
            </button>
          ))}
        </div>
        <label>
          <span className="vh">Since</span>
          <select
            className="in"
            value={since}
            onChange={(event) => set({ since: event.target.value })}
          >
            <option value="1d">Last day</option>
            <option value="7d">Last 7 days</option>
            <option value="30d">Last 30 days</option>
            <option value="365d">Last year</option>
          </select>
        </label>
      </div>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading rows={6} />}
      {data && rows.length === 0 && (
        <section className="card">
          <Empty title="Nothing was spent in this period." />
        </section>
      )}
      {rows.length > 0 && (
        <section className="card scroll">
          <table className="cases cost-table">
            <thead>
              <tr>
                <th scope="col">{by[0]?.toUpperCase() + by.slice(1)}</th>
                <th scope="col" className="c-tok">
                  Share
                </th>
                <th scope="col" className="end c-tok">
                  Model calls
                </th>
                <th scope="col" className="end c-tok">
                  Tool calls
                </th>
                <th scope="col" className="end">
                  Tokens in
                </th>
                <th scope="col" className="end">
                  Tokens out
                </th>
                <th scope="col" className="end">
                  Cost
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row key={row.name} row={row} share={row.cost_usd / top} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

const Row = ({ row, share }: { row: CostLine; share: number }) => (
  <tr>
    <td className="cut" title={row.about ?? undefined}>
      {row.about ?? modelName(row.name)}
    </td>
    <td className="c-tok">
      <Bar share={share} />
    </td>
    <td className="num end c-tok">{row.model_calls}</td>
    <td className="num end c-tok">{row.tool_calls}</td>
    <td className="num end">{count(row.input_tokens)}</td>
    <td className="num end">{count(row.output_tokens)}</td>
    <td className="num end">{money(row.cost_usd)}</td>
  </tr>
);

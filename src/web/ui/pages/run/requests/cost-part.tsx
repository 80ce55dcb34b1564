import type { RequestRow, RunPage } from '../../../lib/api-documents.ts';
import { count, duration, money, OFFLINE } from '../../../lib/format.ts';
import { modelName, stepName } from '../../../lib/names.ts';
import { Card } from '../../../parts/card.tsx';

interface Sum {
  readonly name: string;
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
  readonly ms: number;
}

function sumBy(requests: readonly RequestRow[], nameOf: (row: RequestRow) => string): Sum[] {
  const sums = new Map<string, Sum>();
  for (const row of requests) {
    const name = nameOf(row);
    const before = sums.get(name) ?? { name, calls: 0, tokens: 0, usd: 0, ms: 0 };
    const ms =
      row.started_at && row.ended_at ? Date.parse(row.ended_at) - Date.parse(row.started_at) : 0;
    sums.set(name, {
      name,
      calls: before.calls + 1,
      tokens: before.tokens + (row.input_tokens ?? 0) + (row.output_tokens ?? 0),
      usd: before.usd + row.cost_usd,
      ms: before.ms + ms,
    });
  }
  return [...sums.values()].toSorted((a, b) => b.usd - a.usd || b.ms - a.ms);
}

/** Sums cost and time by step, model and tool. */
export function CostPart({ page: { requests, run } }: { page: RunPage }) {
  const models = requests.filter(({ kind }) => kind === 'chat');
  const tools = requests.filter(({ kind }) => kind !== 'chat');
  return (
    <Card
      id="cost"
      title="Cost and time"
      head={<span className="push num sm">{money(run.cost_usd)}</span>}
    >
      <Table
        title="Step"
        sums={sumBy(requests, ({ subtask_id: id }) => stepName(id) || 'Capstan')}
      />
      <Table title="Model" sums={sumBy(models, ({ model }) => modelName(model ?? OFFLINE))} />
      <Table title="Tool" sums={sumBy(tools, ({ name }) => name)} />
    </Card>
  );
}

function Table({ title, sums }: { title: string; sums: readonly Sum[] }) {
  if (sums.length === 0) return null;
  return (
    <div className="scroll">
      <table className="cases cost-table">
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col" className="end">
              Calls
            </th>
            <th scope="col" className="end">
              Tokens
            </th>
            <th scope="col" className="end">
              Time
            </th>
            <th scope="col" className="end">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {sums.map(({ name, calls, tokens, usd, ms }) => (
            <tr key={name}>
              <td className="cut">{name}</td>
              <td className="num end">{calls}</td>
              <td className="num end">{tokens === 0 ? '–' : count(tokens)}</td>
              <td className="num end">{duration(ms)}</td>
              <td className="num end">{money(usd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

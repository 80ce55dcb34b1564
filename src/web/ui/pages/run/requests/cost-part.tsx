import type { RequestRow, RunPage } from '../../../../../contract/documents/run-documents.ts';
import { costOf, count, duration, modelName, OFFLINE, spent } from '../../../lib/text/format.ts';
import { Card } from '../../../parts/card.tsx';
import { type Column, Table } from '../../../parts/figures/table.tsx';

type Sum = ReturnType<typeof sumBy>[number];

function sumBy(requests: readonly RequestRow[], nameOf: (row: RequestRow) => string) {
  const nothing = { calls: 0, tokens: 0, cost_usd: 0, estimated_cost_usd: 0, ms: 0 };
  const sums = new Map<string, { name: string } & typeof nothing>();
  for (const row of requests) {
    const name = nameOf(row);
    const sum = sums.get(name) ?? { name, ...nothing };
    sums.set(name, sum);
    sum.calls += 1;
    sum.tokens += (row.input_tokens ?? 0) + (row.output_tokens ?? 0);
    sum.cost_usd += row.cost_usd;
    sum.estimated_cost_usd += row.estimated_cost_usd;
    if (row.started_at && row.ended_at)
      sum.ms += Date.parse(row.ended_at) - Date.parse(row.started_at);
  }
  return [...sums.values()].toSorted((a, b) => b.cost_usd - a.cost_usd || b.ms - a.ms);
}

const columnsFor = (title: string): readonly Column<Sum>[] => [
  [title, ({ name }) => name, 'cut'],
  ['Calls', ({ calls }) => calls, 'num end'],
  ['Tokens', ({ tokens }) => (tokens === 0 ? '–' : count(tokens)), 'num end'],
  ['Time', ({ ms }) => duration(ms), 'num end'],
  ['Cost', (sum) => spent(sum), 'num end'],
];

/** Sums cost and time by step, model and tool. */
export function CostPart({ page: { requests, run } }: { page: RunPage }) {
  const models = requests.filter(({ kind }) => kind === 'chat');
  const tools = requests.filter(({ kind }) => kind !== 'chat');
  const tables = [
    ['Step', sumBy(requests, ({ subtask_id: id }) => id || 'Capstan')],
    ['Model', sumBy(models, ({ model }) => modelName(model ?? OFFLINE))],
    ['Tool', sumBy(tools, ({ name }) => name)],
  ] as const;
  const head = <span className="push num sm">{spent(run, costOf(run))}</span>;
  return (
    <Card id="cost" title="Cost and time" head={head}>
      {tables.map(
        ([title, rows]) =>
          rows.length > 0 && (
            <div key={title} className="scroll">
              <Table className="cost-table" columns={columnsFor(title)} rows={rows} />
            </div>
          ),
      )}
    </Card>
  );
}

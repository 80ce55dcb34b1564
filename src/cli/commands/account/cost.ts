import { costLine } from '../../../app/money/cost-rows.ts';
import type { CostGroup, CostRow } from '../../../app/money/report-costs.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { sinceOption, standard } from '../../options/standard-options.ts';
import { formatCost, formatTable } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import { withCapstan } from '../../with-capstan.ts';

export const command: CommandDefinition = {
  name: 'cost',
  summary: 'Show the money, tokens and calls of one run or of all runs',
  arguments: '[run]',
  options: {
    '--by <what>': 'group by run, subtask, capsule, model, tool or day (default: run)',
    ...standard.since,
    ...standard.json,
  },
  hiddenOptions: { '--run <run>': 'the run' },
  examples: [
    'capstan runs cost last',
    'capstan runs cost --by day --since 7d',
    'capstan runs cost 9c41d07e --by model --json',
  ],
  run: withCapstan(async ({ capstan, args: { options, positionals }, text }) => {
    const since = sinceOption(options['since']);
    const run = positionals[0] ?? text('run');
    const report = await capstan.costs.report({ by: text('by'), run, since });
    const { by, runId, rows, total } = report;
    const about = { by, run_id: runId, since: since?.toISOString() ?? null };
    return {
      json: { ...about, rows: rows.map(costLine), total: costLine(total) },
      text: rows.length === 0 ? 'There are no calls yet.\n' : tableOf(by, rows, total),
    };
  }),
};

type Amount = 'costMicroUsd' | 'estimatedMicroUsd' | 'reservedMicroUsd';
type Column = readonly [name: string, isShown: boolean, cell: (row: CostRow) => string | number];

function tableOf(by: CostGroup, rows: readonly CostRow[], sum: CostRow): string {
  const has = (amount: Amount) => rows.some((row) => row[amount] > 0);
  const dollars = (amount: Amount) => (row: CostRow) => formatCost(row[amount] / 1e6);
  const all: readonly Column[] = [
    [by, true, ({ name }) => escapeText(shortId(name))],
    ['cost', true, dollars('costMicroUsd')],
    ['of it estimated', has('estimatedMicroUsd'), dollars('estimatedMicroUsd')],
    ['reserved', has('reservedMicroUsd'), dollars('reservedMicroUsd')],
    ['model calls', by !== 'tool', ({ modelCalls }) => modelCalls],
    ['tokens in', by !== 'tool', ({ inputTokens }) => inputTokens],
    ['(cached)', by !== 'tool', ({ cachedInputTokens }) => cachedInputTokens],
    ['tokens out', by !== 'tool', ({ outputTokens }) => outputTokens],
    ['tool calls', by !== 'model', ({ toolCalls }) => toolCalls],
    [
      by === 'subtask' ? 'step' : 'task',
      rows.some(({ about }) => about !== null),
      ({ about }) => shorten(about ?? '', 60),
    ],
  ];
  const columns = all.filter(([, isShown]) => isShown);
  const shown = rows.length > 1 ? [...rows, sum] : rows;
  return formatTable([
    columns.map(([name]) => name),
    ...shown.map((row) => columns.map(([, , cell]) => String(cell(row)))),
  ]);
}

import type { CostGroup, CostRow } from '../../../app/costs/report-costs.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatCost, formatTable } from '../../format.ts';
import { printJson } from '../../io/print-json.ts';
import { sinceOption } from '../../options/since-option.ts';
import { standard } from '../../options/standard-options.ts';
import { textOption } from '../../options/text-option.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const command: CommandDefinition = {
  name: 'cost',
  topic: 'Look',
  brief: 'what it cost',
  summary: 'Show the money, tokens and calls that a run cost, or all runs over time',
  arguments: '[run]',
  options: [
    {
      flags: '--by <what>',
      description: 'group by run, subtask, capsule, model, tool or day (default: run)',
    },
    { flags: '--run <run>', description: 'the run', isHidden: true },
    standard.since,
    standard.json,
  ],
  examples: [
    'capstan runs cost last',
    'capstan runs cost --by day --since 7d',
    'capstan runs cost 9c41d07e --by model --json',
  ],
  run: withCapstan(cost),
};

async function cost({
  capstan,
  args: { options, positionals },
  io,
}: CommandContext): Promise<number> {
  const since = sinceOption(options['since'], new Date());
  const run = positionals[0] ?? textOption(options['run']);
  const { by, runId, rows, total } = await capstan.costs.report({
    by: textOption(options['by']),
    run,
    since,
  });
  if (options['json'] === true) {
    printJson(io, {
      by,
      run_id: runId,
      since: since?.toISOString() ?? null,
      rows: rows.map(toJson),
      total: toJson(total),
    });
  } else {
    io.stdout(rows.length === 0 ? 'There are no calls yet.\n' : tableOf(by, rows, total));
  }
  return exitCodes.completed;
}

const toJson = (row: CostRow) => ({
  name: row.name,
  about: row.about,
  model_calls: row.modelCalls,
  tool_calls: row.toolCalls,
  input_tokens: row.inputTokens,
  cached_input_tokens: row.cachedInputTokens,
  output_tokens: row.outputTokens,
  cost_usd: row.costMicroUsd / 1e6,
  estimated_cost_usd: row.estimatedMicroUsd / 1e6,
  reserved_usd: row.reservedMicroUsd / 1e6,
});

function tableOf(by: CostGroup, rows: readonly CostRow[], sum: CostRow): string {
  const isReserved = rows.some(({ reservedMicroUsd }) => reservedMicroUsd > 0);
  const isEstimated = rows.some(({ estimatedMicroUsd }) => estimatedMicroUsd > 0);
  const hasAbout = rows.some(({ about }) => about !== null);
  const head = [
    by,
    'cost',
    ...(isEstimated ? ['of it estimated'] : []),
    ...(isReserved ? ['reserved'] : []),
    ...(by === 'tool' ? [] : ['model calls', 'tokens in', '(cached)', 'tokens out']),
    ...(by === 'model' ? [] : ['tool calls']),
    ...(hasAbout ? [''] : []),
  ];
  const lineOf = (row: CostRow) => [
    escapeText(shortId(row.name)),
    formatCost(row.costMicroUsd / 1e6),
    ...(isEstimated ? [formatCost(row.estimatedMicroUsd / 1e6)] : []),
    ...(isReserved ? [formatCost(row.reservedMicroUsd / 1e6)] : []),
    ...(by === 'tool'
      ? []
      : [row.modelCalls, row.inputTokens, row.cachedInputTokens, row.outputTokens].map(String)),
    ...(by === 'model' ? [] : [String(row.toolCalls)]),
    ...(hasAbout ? [shorten(row.about ?? '', MAX_ABOUT)] : []),
  ];
  const total = rows.length > 1 ? [lineOf(sum)] : [];
  return formatTable([head, ...rows.map(lineOf), ...total]);
}

const MAX_ABOUT = 60;

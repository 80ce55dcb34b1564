import { join } from 'node:path';
import {
  type CostGroup,
  type CostRow,
  costGroups,
  readCosts,
} from '../../broker/money/cost-report.ts';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { AppError } from '../../contract/errors.ts';
import { closest } from '../../contract/text/closest.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { printable } from '../../contract/text/printable.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatCost, formatTable } from '../format.ts';
import { printJson } from '../print-json.ts';

export const command: CommandDefinition = {
  name: 'cost',
  summary: 'Show what was spent: money, tokens and calls',
  options: [
    {
      flags: '--by <what>',
      description: 'run, subtask, capsule, model, tool or day (default: run)',
    },
    { flags: '--run <id>', description: 'of one run only' },
    { flags: '--since <time>', description: 'from then on: 90m, 12h, 7d or 2026-11-01' },
    { flags: '--json', description: 'print JSON' },
  ],
  examples: [
    'capstan cost',
    'capstan cost --by day --since 7d',
    'capstan cost --by model --run 0199 --json',
  ],
  run: cost,
};

async function cost({ options }: CommandArguments, io: CommandIo): Promise<number> {
  const by = groupOf(options['by']);
  const since = momentOf(options['since']);
  const { environment, cwd } = io;
  const { settings } = await loadSettings({ environment, cwd, installFolder: installFolder() });
  const { openDatabase } = await import('../../db/open-database.ts');
  const db = openDatabase(join(settings.places.stateDir, 'capstan.db'));
  try {
    const named = options['run'];
    const { createRunStore } = await import('../../coordinator/run-store.ts');
    const { findRun } = await import('../../coordinator/find-run.ts');
    const runId = named === undefined ? undefined : findRun(createRunStore(db), String(named)).id;
    const rows = readCosts(db, { by, runId, since });
    if (options['json'] === true) {
      const document = {
        by,
        run_id: runId ?? null,
        since: since?.toISOString() ?? null,
        rows: rows.map(toJson),
        total: toJson(totalOf(rows)),
      };
      printJson(io, document);
    } else {
      io.stdout(rows.length === 0 ? 'Nothing was called yet.\n' : tableOf(by, rows));
    }
    return exitCodes.completed;
  } finally {
    db.close();
  }
}

function groupOf(given: unknown): CostGroup {
  if (given === undefined) return 'run';
  const found = costGroups.find((group) => group === given);
  if (found) return found;
  const meant = closest(String(given), costGroups);
  const hint = meant ? ` Did you mean ${meant}?` : '';
  const problem = `--by is "${printable(String(given), 40)}"; it must be one of ${costGroups.join(', ')}.${hint}`;
  throw new AppError('USAGE', { problem });
}

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** How long ago, or a day by the clock on the wall. */
function momentOf(given: unknown): Date | undefined {
  if (given === undefined) return undefined;
  const text = String(given);
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(Date.now() - Number(count) * (UNIT_MS.get(unit) ?? 0));
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00`) : undefined;
  if (day && !Number.isNaN(day.getTime())) return day;
  const problem = `--since is "${printable(text, 40)}"; write how long ago, such as 90m, 12h or 7d, or a day such as 2026-11-01.`;
  throw new AppError('USAGE', { problem });
}

function totalOf(rows: readonly CostRow[]): CostRow {
  const sum = (of: (row: CostRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    name: 'total',
    about: null,
    modelCalls: sum((row) => row.modelCalls),
    toolCalls: sum((row) => row.toolCalls),
    inputTokens: sum((row) => row.inputTokens),
    cachedInputTokens: sum((row) => row.cachedInputTokens),
    outputTokens: sum((row) => row.outputTokens),
    costMicroUsd: sum((row) => row.costMicroUsd),
    reservedMicroUsd: sum((row) => row.reservedMicroUsd),
  };
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
  reserved_usd: row.reservedMicroUsd / 1e6,
});

function tableOf(by: CostGroup, rows: readonly CostRow[]): string {
  const isReserved = rows.some(({ reservedMicroUsd }) => reservedMicroUsd > 0);
  const hasWords = rows.some(({ about }) => about !== null);
  const head = [
    by,
    'cost',
    ...(isReserved ? ['reserved'] : []),
    ...(by === 'tool' ? [] : ['model calls', 'tokens in', '(cached)', 'tokens out']),
    ...(by === 'model' ? [] : ['tool calls']),
    ...(hasWords ? [''] : []),
  ];
  const lineOf = (row: CostRow) => [
    escapeText(row.name),
    formatCost(row.costMicroUsd / 1e6),
    ...(isReserved ? [formatCost(row.reservedMicroUsd / 1e6)] : []),
    ...(by === 'tool'
      ? []
      : [row.modelCalls, row.inputTokens, row.cachedInputTokens, row.outputTokens].map(String)),
    ...(by === 'model' ? [] : [String(row.toolCalls)]),
    ...(hasWords ? [shorten(row.about ?? '')] : []),
  ];
  const total = rows.length > 1 ? [lineOf(totalOf(rows))] : [];
  return formatTable([head, ...rows.map(lineOf), ...total]);
}

const shorten = (text: string): string => {
  const line = escapeText(text.replace(/\s+/g, ' '));
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

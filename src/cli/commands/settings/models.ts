import type { ModelCheck } from '../../../app/settings/models/check-models.ts';
import type { ModelPrice, ModelSummary } from '../../../app/settings/models/list-models.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { adviseOnField } from '../../errors/advise-on-field.ts';
import { exitCodeOf, exitCodes } from '../../errors/exit-codes.ts';
import { commandGroup } from '../../help/command-group.ts';
import { standard } from '../../options/standard-options.ts';
import { answersAt } from '../../options/trial-options.ts';
import { createProgressLine } from '../../run/surfaces/progress-line.ts';
import { formatCost, formatDuration, formatTable, headedTable } from '../../text/format.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';

const modelsList: CommandDefinition = {
  name: 'list',
  summary: 'List the configured models, with prices and context windows',
  options: {
    ...standard.provider,
    ...standard.model,
    '--all': 'also list every model of the vendors whose keys are set',
    ...standard.json,
  },
  examples: ['capstan models list', 'capstan models list --provider anthropic --all --json'],
  run: withCapstan(async ({ capstan, args, io, has }) => {
    const listed = await capstan.models.list({ settings: args.options, all: has('all') });
    const { provider, models, problems } = listed;
    for (const text of problems) io.stderr(`note: no list of ${escapeText(text)}\n`);
    const head = ['for', 'model', '$ in/1M', '$ out/1M', 'context', 'set by'];
    return {
      json: { provider, models: models.map(documentOf), problems },
      text: headedTable(head, models.map(rowOf), NO_MODEL),
    };
  }),
};

const NO_MODEL = 'No model: the provider is `offline`. Set a key, or choose one with --provider.\n';

const rowOf = ({ provider, model, hint, source, price, contextTokens }: ModelSummary) => [
  hint ?? (/list$/.test(source) ? '' : 'fallback'),
  escapeText(`${provider}/${model}`),
  dollarsOf(price, price.inputUsd),
  dollarsOf(price, price.outputUsd),
  contextTokens === null ? 'unknown' : String(contextTokens),
  escapeText(source),
];

const dollarsOf = ({ basis }: ModelPrice, usd: number): string => {
  if (basis === 'free') return 'free';
  return basis === 'unknown' ? `unknown (${usd.toFixed(2)})` : usd.toFixed(2);
};

const documentOf = ({ price, ...model }: ModelSummary) => ({
  ...withDocumentKeys(model),
  price_basis: price.basis,
  input_usd_per_million: price.inputUsd,
  cached_input_usd_per_million: price.cachedInputUsd,
  output_usd_per_million: price.outputUsd,
  price_source: price.source,
  price_date: price.date,
});

const modelsCheck: CommandDefinition = {
  name: 'check',
  summary: 'Request one token from each configured model',
  options: { ...standard.provider, ...standard.model, ...standard.budget, ...standard.json },
  examples: ['capstan models check', 'capstan models check --provider gemini --budget-usd 0.01'],
  run: withCapstan(async ({ capstan, args, io }) => {
    const onEvent = answersAt(io, capstan);
    const checking = capstan.models.check({ settings: args.options, onEvent });
    const checks = await adviseOnField(checking, { provider: 'Choose one with --provider.' });
    const head = ['model', 'for', 'result', 'time', 'cost'];
    const table = formatTable([head, ...checks.map(checkRow)]);
    const messages = checks.flatMap(({ provider, model, message }) =>
      message === null ? [] : [`\n${escapeText(`${provider}/${model}: ${message}`, true)}\n`],
    );
    return {
      json: checks.map(withDocumentKeys),
      text: `${table}${messages.join('')}`,
      exitCode: exitCodeOfChecks(checks),
    };
  }),
};

/** The order of exit codes: with several reasons, the first one counts. */
const order = ['settings', 'deadline', 'isolation', 'budget', 'provider', 'denied', 'expired'];

function exitCodeOfChecks(checks: readonly ModelCheck[]): number {
  const reasons = checks.map(({ reason }) => reason);
  if (reasons.every((reason) => reason === null)) return exitCodes.completed;
  const reason = order.find((one) => reasons.includes(one)) ?? null;
  return exitCodeOf({ status: 'failed', reason });
}

const checkRow = ({ provider, model, hints, ok, reason, latencyMs, costUsd }: ModelCheck) => [
  escapeText(`${provider}/${model}`),
  hints.length > 0 ? hints.join(', ') : 'fallback',
  ok ? 'ok' : escapeText(reason ?? 'failed'),
  latencyMs === null ? '–' : formatDuration(latencyMs),
  formatCost(costUsd),
];

export const command = commandGroup('capstan models', {
  summary: 'List, check and download models',
  subcommands: [
    modelsList,
    modelsCheck,
    {
      name: 'pull',
      topic: 'Install',
      summary: 'Download all-MiniLM-L6-v2 (23 MB)',
      arguments: '<model>',
      options: { ...standard.json },
      examples: [
        'capstan models pull minilm',
        'CAPSTAN_EMBEDDER=minilm capstan capsules route "…"',
      ],
      run: withCapstan(pull),
    },
  ],
});

async function pull({ capstan, io, named }: CommandContext): Promise<CommandResult> {
  const options = { unit: 'bytes', afterMs: 0, isInPipe: true } as const;
  const line = createProgressLine(io, 'all-MiniLM-L6-v2', options);
  const downloading = capstan.models.download(named, { onProgress: line.update });
  const { model, folder, isNew, isUsed } = await downloading.finally(line.end);
  if (!isUsed) io.stderr('To use it, set CAPSTAN_EMBEDDER=minilm (or `embedder: minilm`).\n');
  return {
    json: { model, folder, is_new: isNew },
    text: `${model} ${isNew ? 'is' : 'was already'} in ${folder}\n`,
  };
}

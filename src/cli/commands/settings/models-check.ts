import type { ModelCheck } from '../../../app/models/check-models.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { adviseOnField } from '../../errors/advise-on-field.ts';
import { exitCodeOf, exitCodes } from '../../errors/exit-codes.ts';
import { formatCost, formatDuration, formatTable } from '../../format.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { answersAt } from '../../options/trial-options.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const modelsCheck: CommandDefinition = {
  name: 'check',
  topic: 'Look',
  brief: 'one token from each',
  summary: 'Ask each model that runs ask for one token, and show what it answers',
  options: [standard.provider, standard.model, standard.budget, standard.json],
  examples: ['capstan models check', 'capstan models check --provider gemini --budget-usd 0.01'],
  run: withCapstan(check),
};

async function check({ capstan, args, io }: CommandContext): Promise<number> {
  const checking = capstan.models.check({
    settings: args.options,
    onEvent: answersAt(io, capstan),
  });
  const checks = await adviseOnField(checking, { provider: 'Choose one with --provider.' });
  if (args.options['json'] === true) printJson(io, checks.map(documentOf));
  else {
    io.stdout(formatTable([['model', 'for', 'result', 'time', 'cost'], ...checks.map(rowOf)]));
    for (const { provider, model, message } of checks)
      if (message !== null)
        io.stdout(`\n${escapeText(`${provider}/${model}: ${message}`, true)}\n`);
  }
  return exitCodeOfChecks(checks);
}

/** Of several reasons, the first in the order of exit codes. */
const order = ['settings', 'deadline', 'isolation', 'budget', 'provider', 'denied', 'expired'];

function exitCodeOfChecks(checks: readonly ModelCheck[]): number {
  const reasons = new Set(checks.map(({ reason }) => reason).filter((reason) => reason !== null));
  if (reasons.size === 0) return exitCodes.completed;
  return exitCodeOf({
    status: 'failed',
    reason: order.find((one) => reasons.has(one)) ?? 'subtask_failed',
  });
}

const rowOf = ({ provider, model, hints, ok, reason, latencyMs, costUsd }: ModelCheck) => [
  escapeText(`${provider}/${model}`),
  hints.length > 0 ? hints.join(', ') : 'fallback',
  ok ? 'ok' : escapeText(reason ?? 'failed'),
  latencyMs === null ? '–' : formatDuration(latencyMs),
  formatCost(costUsd),
];

const documentOf = ({ provider, model, hints, ok, ...rest }: ModelCheck) => ({
  provider,
  model,
  hints,
  ok,
  latency_ms: rest.latencyMs,
  cost_usd: rest.costUsd,
  reason: rest.reason,
  message: rest.message,
});

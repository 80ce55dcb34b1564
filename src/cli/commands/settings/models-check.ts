import type { ModelCheck } from '../../../app/models/check-models.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { adviseOnField } from '../../errors/advise-on-field.ts';
import { exitCodeOf, exitCodes } from '../../errors/exit-codes.ts';
import { formatCost, formatDuration, formatTable } from '../../format.ts';
import { jsonOf } from '../../io/json-of.ts';
import { standard } from '../../options/standard-options.ts';
import { answersAt } from '../../options/trial-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const modelsCheck: CommandDefinition = {
  name: 'check',
  topic: 'Look',
  brief: 'one token from each',
  summary: 'Ask each model that runs ask for one token, and show what it answers',
  options: [standard.provider, standard.model, standard.budget, standard.json],
  examples: ['capstan models check', 'capstan models check --provider gemini --budget-usd 0.01'],
  run: withCapstan(async ({ capstan, args, io }) => {
    const onEvent = answersAt(io, capstan);
    const checking = capstan.models.check({ settings: args.options, onEvent });
    const checks = await adviseOnField(checking, { provider: 'Choose one with --provider.' });
    const table = formatTable([['model', 'for', 'result', 'time', 'cost'], ...checks.map(rowOf)]);
    const messages = checks.flatMap(({ provider, model, message }) =>
      message === null ? [] : [`\n${escapeText(`${provider}/${model}: ${message}`, true)}\n`],
    );
    return {
      json: checks.map(jsonOf),
      text: `${table}${messages.join('')}`,
      exitCode: exitCodeOfChecks(checks),
    };
  }),
};

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

import { randomUUID } from 'node:crypto';
import { AppError } from '../../../contract/errors.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodeOf, exitCodes } from '../../errors/exit-codes.ts';
import { printJsonLine } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { textOption } from '../../options/text-option.ts';
import { printRun } from '../../run/surfaces/print-run.ts';
import { withCapstan } from '../../with-capstan.ts';
import { postJson } from './post-json.ts';

export const command: CommandDefinition = {
  name: 'dispatch',
  topic: 'Work',
  summary: 'Give a task to the running server',
  arguments: '<task...>',
  options: [
    standard.workspace,
    { flags: '--capsule <capsule>', description: 'give the whole task to this capsule' },
    { flags: '--session <session>', description: 'continue this session' },
    standard.budget,
    { flags: '--key <text>', description: 'the same key never starts a second run' },
    { flags: '--wait', description: 'wait until the run has ended or parked, and print it' },
    standard.json,
  ],
  examples: [
    'capstan dispatch "Summarize README.md in five sentences"',
    'capstan dispatch --wait --key nightly-2027-01-31 "Check every link in docs"',
  ],
  run: withCapstan(async ({ capstan, args: { positionals, options }, io }) => {
    const url = (await capstan.serving.row()).url();
    if (url === undefined)
      throw new AppError('USAGE', { problem: 'No server is running. Start one: capstan serve' });
    const { workspace } = await capstan.settings.get({ workspace: options['workspace'] });
    const budget = textOption(options['budgetUsd']);
    const secrets = await capstan.serving.secrets();
    const token = secrets.addToken();
    const accepted = await postJson(`${url}/api/v1/runs`, {
      token,
      key: textOption(options['key']) ?? randomUUID(),
      body: {
        task: positionals.join(' '),
        workspace,
        capsule: textOption(options['capsule']),
        session: textOption(options['session']),
        budget_usd: budget === undefined ? undefined : Number(budget),
      },
    }).finally(() => secrets.endToken(token));
    const runId = String(accepted['run_id']);
    if (options['wait'] !== true) {
      if (options['json'] === true) printJsonLine(io, accepted);
      else io.stdout(`${runId}\n`);
      return exitCodes.completed;
    }
    for await (const _ of capstan.runs.follow(runId));
    const { document } = await capstan.runs.get(runId);
    if (options['json'] === true) printRun(io, document);
    else io.stdout(`${document.answer ?? `The run is ${document.status}.`}\n`);
    return exitCodeOf(document);
  }),
};

import { randomUUID } from 'node:crypto';
import type { CommandDefinition } from '../../command.ts';
import { exitCodeOf, exitCodes } from '../../errors/exit-codes.ts';
import { usage } from '../../errors/usage.ts';
import { printJsonLine } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { printedRun } from '../../run/surfaces/print-run.ts';
import { withCapstan } from '../../with-capstan.ts';
import { postJson } from './post-json.ts';

export const command: CommandDefinition = {
  name: 'dispatch',
  topic: 'Work',
  summary: 'Give a task to the running server',
  arguments: '<task...>',
  options: {
    ...standard.workspace,
    '--capsule <capsule>': 'give the whole task to this capsule',
    '--session <session>': 'continue this session',
    ...standard.budget,
    '--key <text>': 'the same key never starts a second run',
    '--wait': 'wait until the run has ended or parked, and print it',
    ...standard.json,
  },
  examples: [
    'capstan dispatch "Summarize README.md in five sentences"',
    'capstan dispatch --wait --key nightly-2027-01-31 "Check every link in docs"',
  ],
  run: withCapstan(async ({ capstan, args: { positionals, options }, io, isJson, has, text }) => {
    const url = (await capstan.serving.row()).url();
    if (url === undefined) throw usage('No server is running. Start one: capstan serve');
    const { workspace } = await capstan.settings.get({ workspace: options['workspace'] });
    const budget = text('budgetUsd');
    const secrets = await capstan.serving.secrets();
    const token = secrets.addToken();
    const accepted = await postJson(`${url}/api/v1/runs`, {
      token,
      key: text('key') ?? randomUUID(),
      body: {
        task: positionals.join(' '),
        workspace,
        capsule: text('capsule'),
        session: text('session'),
        budget_usd: budget === undefined ? undefined : Number(budget),
      },
    }).finally(() => secrets.endToken(token));
    const runId = String(accepted['run_id']);
    if (!has('wait')) {
      if (isJson) printJsonLine(io, accepted);
      else io.stdout(`${runId}\n`);
      return exitCodes.completed;
    }
    for await (const _ of capstan.runs.follow(runId));
    const { document } = await capstan.runs.get(runId);
    return {
      json: printedRun(document),
      text: `${document.answer ?? `The run is ${document.status}.`}\n`,
      exitCode: exitCodeOf(document),
    };
  }),
};

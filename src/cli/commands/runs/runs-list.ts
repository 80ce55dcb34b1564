import { resolve } from 'node:path';
import type { RunSummary } from '../../../app/runs/show/run-summary.ts';
import { AppError } from '../../../contract/errors.ts';
import type { RunStatus } from '../../../contract/status.ts';
import { didYouMean } from '../../../contract/text/closest.ts';
import { printable } from '../../../contract/text/printable.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { runColumns } from '../../lists/columns/run-columns.ts';
import { printList } from '../../lists/print-list.ts';
import { runTitle } from '../../lists/run-title.ts';
import { allFolders, folderOption, noneText } from '../../options/folder-option.ts';
import { limitOption } from '../../options/limit-option.ts';
import { sinceOption } from '../../options/since-option.ts';
import { standard } from '../../options/standard-options.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const runsList: CommandDefinition = {
  name: 'list',
  topic: 'Look',
  brief: 'runs of this folder',
  summary: 'List the runs of this folder, newest first',
  options: [
    { flags: '--status <status>', description: 'only runs with this status, such as parked' },
    standard.since,
    standard.limit,
    standard.workspace,
    allFolders,
    standard.json,
  ],
  examples: ['capstan runs list --limit 5', 'capstan runs list --all --status parked'],
  run: withCapstan(list),
};

async function list(context: CommandContext): Promise<number> {
  const { capstan, args, io } = context;
  const workspace = folderOption(context);
  const runs = await capstan.runs.list({
    limit: limitOption(args.options['limit']),
    status: statusOption(args.options['status']),
    since: sinceOption(args.options['since'], new Date()),
    workspace,
  });
  if (args.options['json'] === true) printJson(io, runs.map(summaryDocument));
  else if (runs.length === 0) io.stdout(noneText('runs', workspace));
  else await printRuns(runs, workspace, io);
  return exitCodes.completed;
}

async function printRuns(
  runs: readonly RunSummary[],
  workspace: string | undefined,
  io: CommandContext['io'],
): Promise<void> {
  const folder = workspace === undefined ? undefined : resolve(io.cwd, workspace);
  await printList(runs, runColumns(folder === undefined), {
    io,
    title: (frame) => runTitle(runs, folder, frame),
  });
}

const summaryDocument = (run: RunSummary) => ({
  run_id: run.id,
  status: run.status,
  reason: run.reason,
  task: run.task,
  workspace: run.workspace,
  provider: run.provider,
  created_at: run.createdAt,
  ended_at: run.endedAt,
  cost_usd: run.costUsd,
});

const statuses: readonly RunStatus[] = [
  'pending',
  'running',
  'parked',
  'completed',
  'failed',
  'cancelled',
];

/** The value of `--status`; undefined without one. @throws AppError `USAGE`. */
function statusOption(option: unknown): RunStatus | undefined {
  if (option === undefined) return undefined;
  const found = statuses.find((status) => status === option);
  if (found) return found;
  const written = printable(String(option), 40);
  const problem = `--status is "${written}", which no run has. ${didYouMean(String(option), statuses)}`;
  throw new AppError('USAGE', { problem });
}

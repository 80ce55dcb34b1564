import type { RunSummary } from '../../../app/runs/run-summary.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatCost, formatTable } from '../../format.ts';
import { printJson } from '../../io/print-json.ts';
import { allFolders, folderOption, noneText } from '../../options/folder-option.ts';
import { limitOption } from '../../options/limit-option.ts';
import { standard } from '../../options/standard-options.ts';
import { outcomeText } from '../../run/outcome-text.ts';
import { shortFolder } from '../../text/short-folder.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const runsList: CommandDefinition = {
  name: 'list',
  topic: 'Look',
  brief: 'runs of this folder',
  summary: 'List the runs of this folder, newest first',
  options: [standard.limit, standard.workspace, allFolders, standard.json],
  examples: ['capstan runs list --limit 5', 'capstan runs list --all --json'],
  run: withCapstan(list),
};

async function list(context: CommandContext): Promise<number> {
  const { capstan, args, io } = context;
  const workspace = folderOption(context);
  const runs = await capstan.runs.list({
    limit: limitOption(args.options['limit']),
    workspace,
  });
  if (args.options['json'] === true) printJson(io, runs.map(summaryDocument));
  else if (runs.length === 0) io.stdout(noneText('runs', workspace));
  else io.stdout(tableOf(runs, io.environment));
  return exitCodes.completed;
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

function tableOf(runs: readonly RunSummary[], environment: NodeJS.ProcessEnv): string {
  const rows = runs.map((run) => [
    shortId(run.id),
    run.createdAt.slice(0, 16).replace('T', ' '),
    outcomeText(run, run.openQuestions),
    formatCost(run.costUsd),
    shortFolder(run.workspace, environment),
    shorten(run.task, 60),
  ]);
  return formatTable([['run', 'began', 'status', 'cost', 'workspace', 'task'], ...rows]);
}

import type { RunSummary } from '../../../app/runs/run-summary.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatCost, formatTable } from '../../format.ts';
import { printJson } from '../../io/print-json.ts';
import { limitOption } from '../../options/limit-option.ts';
import { outcomeText } from '../../run/outcome-text.ts';
import { shortFolder } from '../../text/short-folder.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const runsList: CommandDefinition = {
  name: 'list',
  summary: 'List the runs of all workspaces, newest first',
  options: [
    { flags: '-n, --limit <count>', description: 'maximum number of runs (default: 20)' },
    { flags: '-w, --workspace <dir>', description: 'only runs in this folder' },
    { flags: '--json', description: 'print JSON' },
  ],
  examples: ['capstan runs list --limit 5', 'capstan runs list --workspace . --json'],
  run: withCapstan(list),
};

async function list({ capstan, args, io }: CommandContext): Promise<number> {
  const { workspace } = args.options;
  const runs = await capstan.runs.list({
    limit: limitOption(args.options['limit']),
    workspace: typeof workspace === 'string' ? workspace : undefined,
  });
  if (args.options['json'] === true) printJson(io, runs.map(summaryDocument));
  else if (runs.length === 0) io.stdout('There are no runs yet.\n');
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

import { resolve } from 'node:path';
import type { RunSummary } from '../../../app/runs/show/run-summary.ts';
import { runStatuses } from '../../../contract/status.ts';
import type { CommandDefinition } from '../../command.ts';
import { runColumns, runTitle } from '../../lists/columns/run-columns.ts';
import { listText } from '../../lists/list-text.ts';
import {
  allFolders,
  choiceOption,
  folderOption,
  limitOption,
  noneText,
  sinceOption,
  standard,
} from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsList: CommandDefinition = {
  name: 'list',
  summary: 'List the runs of this folder, newest first',
  options: {
    '--status <status>': 'only runs with this status, such as parked',
    '--trials': 'also the runs that check models or try a capsule',
    ...standard.since,
    ...standard.limit,
    ...standard.workspace,
    ...allFolders,
    ...standard.json,
  },
  examples: ['capstan runs list --limit 5', 'capstan runs list --all --status parked'],
  run: withCapstan(async (context) => {
    const { capstan, args, io } = context;
    const workspace = folderOption(context);
    const status = choiceOption('--status', args.options['status'], runStatuses);
    const since = sinceOption(args.options['since']);
    const limit = limitOption(args.options['limit']);
    const trials = args.options['trials'] === true;
    const runs = await capstan.runs.list({ limit, status, since, workspace, trials });
    const isFiltered = status !== undefined || since !== undefined;
    const folder = workspace === undefined ? undefined : resolve(io.cwd, workspace);
    return {
      json: runs.map(summaryDocument),
      text: await listText(runs, runColumns(folder === undefined), {
        io,
        none: noneText('runs', workspace, isFiltered),
        title: (frame) => runTitle(runs, folder, frame),
      }),
    };
  }),
};

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

import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { isAgreed } from '../../io/confirm.ts';
import { standard } from '../../options/standard-options.ts';
import { counted } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsCancel: CommandDefinition = {
  name: 'cancel',
  summary: 'Cancel a run permanently, even if parked or in another process',
  arguments: '<run>',
  options: { ...standard.json },
  examples: ['capstan runs cancel 9c41d07e'],
  run: withCapstan(async ({ capstan, io, named, isJson }) => {
    const { id, status } = await capstan.runs.cancel(named, { by: 'cli' });
    const json = { run_id: id, status };
    if (status === 'cancelled') return { json, text: `Run ${shortId(id)} is cancelled.\n` };
    if (!isJson)
      io.stderr(`Run ${shortId(id)} is still running. Its process was asked to end it.\n`);
    return { json, text: '', isOk: false };
  }),
};

const WHAT_REMAINS =
  'The time, capsule, model, tokens and cost of paid calls remain, for budgets and reports.';

export const runsDelete: CommandDefinition = {
  name: 'delete',
  summary: 'Delete runs and their logs, but not the files that they wrote',
  note: WHAT_REMAINS,
  arguments: '<run...>',
  options: { ...standard.yes, ...standard.json },
  examples: ['capstan runs delete 9c41d07e --yes'],
  run: withCapstan(async (context) => {
    const { runs } = context.capstan;
    const ids = await runs.delete(context.args.positionals, { by: 'cli', isDryRun: true });
    const what = counted(ids.length, 'run');
    if (!(await isAgreed(context, `Delete ${what}?`, 'Nothing was deleted.')))
      return exitCodes.failed;
    const deleted = await runs.delete(ids, { by: 'cli' });
    return { json: { deleted }, text: `Deleted ${what}.\n` };
  }),
};

export const runsPrune: CommandDefinition = {
  name: 'prune',
  summary: 'Delete ended runs over the age or size limit of the settings',
  note: WHAT_REMAINS,
  options: { ...standard.dryRun, ...standard.json },
  examples: ['capstan runs prune --dry-run', 'CAPSTAN_RUNS_KEEP_DAYS=7 capstan runs prune'],
  run: withCapstan(async ({ capstan, has }) => {
    const isDryRun = has('dryRun');
    const { ended, pruned } = await capstan.runs.prune({ by: 'cli', isDryRun });
    const [deleted, would_delete] = isDryRun ? [[], pruned] : [pruned, []];
    const verb = isDryRun ? 'Would delete' : 'Deleted';
    return {
      json: { dry_run: isDryRun, deleted, would_delete },
      text: `${verb} ${pruned.length} of ${ended} ended runs.\n`,
    };
  }),
};

import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const runsPrune: CommandDefinition = {
  name: 'prune',
  topic: 'Clear',
  brief: 'old runs',
  summary: 'Delete ended runs that exceed the age or size limit of the settings',
  options: [standard.dryRun, standard.json],
  examples: ['capstan runs prune --dry-run', 'CAPSTAN_RUNS_KEEP_DAYS=7 capstan runs prune'],
  run: withCapstan(prune),
};

async function prune({ capstan, args, io }: CommandContext): Promise<number> {
  const isDryRun = args.options['dryRun'] === true;
  const { ended, pruned } = await capstan.runs.prune({ by: 'cli', isDryRun });
  if (args.options['json'] === true) {
    printJson(io, {
      dry_run: isDryRun,
      deleted: isDryRun ? [] : pruned,
      would_delete: isDryRun ? pruned : [],
    });
  } else {
    const verb = isDryRun ? 'Would delete' : 'Deleted';
    io.stdout(`${verb} ${pruned.length} of ${ended} ended runs.\n`);
  }
  return exitCodes.completed;
}

import type { CommandDefinition } from '../../command.ts';
import { standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsPrune: CommandDefinition = {
  name: 'prune',
  topic: 'Clear',
  brief: 'old runs',
  summary: 'Delete ended runs that exceed the age or size limit of the settings',
  options: [standard.dryRun, standard.json],
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

import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { counted } from '../../format.ts';
import { isAgreed } from '../../io/confirm.ts';
import { standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsDelete: CommandDefinition = {
  name: 'delete',
  topic: 'Clear',
  brief: 'one run',
  summary: 'Delete runs with their journal and logs, but not the files that they wrote',
  arguments: '<run...>',
  options: [standard.yes, standard.json],
  examples: ['capstan runs delete 9c41d07e --yes'],
  run: withCapstan(async (context) => {
    const { runs } = context.capstan;
    const by = 'cli';
    const ids = await runs.delete(context.args.positionals, { by, isDryRun: true });
    const what = counted(ids.length, 'run');
    if (!(await isAgreed(context, `Delete ${what}?`, 'Nothing was deleted.')))
      return exitCodes.failed;
    return { json: { deleted: await runs.delete(ids, { by }) }, text: `Deleted ${what}.\n` };
  }),
};

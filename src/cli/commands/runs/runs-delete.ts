import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { confirm } from '../../io/confirm.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const runsDelete: CommandDefinition = {
  name: 'delete',
  topic: 'Clear',
  brief: 'one run',
  summary: 'Delete runs with their journal and logs, but not the files that they wrote',
  arguments: '<run...>',
  options: [standard.yes, standard.json],
  examples: ['capstan runs delete 9c41d07e --yes'],
  run: withCapstan(deleteNamed),
};

async function deleteNamed({ capstan, args, io }: CommandContext): Promise<number> {
  const by = 'cli';
  const ids = await capstan.runs.delete(args.positionals, { by, isDryRun: true });
  const what = `${ids.length} ${ids.length === 1 ? 'run' : 'runs'}`;
  if (args.options['yes'] !== true && !(await confirm(`Delete ${what}?`, io))) {
    io.stderr('Nothing was deleted.\n');
    return exitCodes.failed;
  }
  const deleted = await capstan.runs.delete(ids, { by });
  if (args.options['json'] === true) printJson(io, { deleted });
  else io.stdout(`Deleted ${what}.\n`);
  return exitCodes.completed;
}

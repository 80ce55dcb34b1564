import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { confirm } from '../../io/confirm.ts';
import { printJson } from '../../io/print-json.ts';
import { capsuleOptionsOf } from '../../options/capsule-options.ts';
import { standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesDelete: CommandDefinition = {
  name: 'delete',
  topic: 'Manage',
  brief: 'into the archive',
  summary: 'Move one of your own capsules, with its memory and logs, into the archive',
  arguments: '<capsule>',
  options: [standard.yes, standard.json],
  examples: ['capstan capsules delete mine', 'capstan capsules delete mine --yes'],
  run: withCapstan(async ({ capstan, args, io }) => {
    const [id = ''] = args.positionals;
    const options = capsuleOptionsOf({ args, io });
    await capstan.capsules.assertArchivable(id, options);
    if (args.options['yes'] !== true && !(await confirm(`Delete the capsule "${id}"?`, io))) {
      io.stderr('Nothing was deleted.\n');
      return exitCodes.failed;
    }
    const { kept } = await capstan.capsules.archive(id, { ...options, onNotice: undefined });
    if (args.options['json'] === true) printJson(io, { deleted: id, kept });
    else
      io.stdout(
        `Deleted "${id}". Its files are kept in ${kept}. Undo: capstan capsules restore ${id}\n`,
      );
    return exitCodes.completed;
  }),
};

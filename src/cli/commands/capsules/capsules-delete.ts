import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { isAgreed } from '../../io/confirm.ts';
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
  run: withCapstan(async (context) => {
    const { capstan, named: id } = context;
    const options = capsuleOptionsOf(context);
    await capstan.capsules.assertArchivable(id, options);
    if (!(await isAgreed(context, `Delete the capsule "${id}"?`, 'Nothing was deleted.')))
      return exitCodes.failed;
    const { kept } = await capstan.capsules.archive(id, { ...options, onNotice: undefined });
    return {
      json: { deleted: id, kept },
      text: `Deleted "${id}". Its files are kept in ${kept}. Undo: capstan capsules restore ${id}\n`,
    };
  }),
};
